//! Compiling and evaluating. "BehaviorTree.CPP" in a test's name or remark: the value is that of
//! its scripts (version 4: script tests, operators and conversions).

use ustr::ustr;

use super::*;
use crate::behaviour::definition::Position;
use crate::behaviour::error::TreeProblem;
use crate::behaviour::expression::ast::Ast;
use crate::behaviour::expression::names::{Assign, AttributeIndex, Names, SlotIndex};
use crate::behaviour::value::ValueType;

mod properties;

/// A person: slots by name with their types, attributes that are slots of no-one, two sources.
#[derive(Default)]
struct Person {
    slots: Vec<(&'static str, ValueType, Value)>,
    attributes: Vec<(&'static str, Value)>,
    /// Of each neighbour: `age` and `sick`.
    neighbours: Vec<(Value, Value)>,
    units: Vec<f64>,
    strict: bool,
}

impl Names for Person {
    fn slot(
        &mut self,
        name: &str,
        assign: Assign,
    ) -> std::result::Result<Option<(SlotIndex, ValueType)>, String> {
        if name == "secret" {
            return Err("`secret` is private".into());
        }
        let found = self.slots.iter().position(|(known, ..)| *known == name);
        if found.is_none() && assign == Assign::Create && !self.strict {
            self.slots.push((ustr(name).as_str(), ValueType::Any, Value::Unset));
            return self.slot(name, Assign::Read);
        }
        Ok(found.map(|index| (SlotIndex(index as u16), self.slots[index].1)))
    }

    fn attribute(&mut self, name: &str) -> Option<(AttributeIndex, ValueType)> {
        let index = self.attributes.iter().position(|(known, _)| *known == name)?;
        Some((AttributeIndex(index as u16), ValueType::Number))
    }

    fn word(&mut self, name: &str) -> Option<Value> {
        (name == "RED").then_some(Value::Int(1))
    }

    fn source(&mut self, name: &str) -> Option<SourceIndex> {
        ["neighbours", "nobody"]
            .iter()
            .position(|known| *known == name)
            .map(|i| SourceIndex(i as u16))
    }

    fn other(&mut self, _: SourceIndex, name: &str) -> Option<(AttributeIndex, ValueType)> {
        let index = ["age", "sick"].iter().position(|known| *known == name)?;
        Some((AttributeIndex(index as u16), [ValueType::Int, ValueType::Bool][index]))
    }

    fn known(&self) -> Vec<String> {
        let slots = self.slots.iter().map(|(name, ..)| (*name).to_owned());
        let others = ["neighbours", "nobody", "other.age", "other.sick"].map(str::to_owned);
        slots
            .chain(self.attributes.iter().map(|(name, _)| (*name).to_owned()))
            .chain(others)
            .collect()
    }
}

impl Scope for Person {
    fn get(&self, slot: SlotIndex) -> Value {
        self.slots[usize::from(slot.0)].2
    }

    fn set(&mut self, slot: SlotIndex, value: Value) {
        assert!(self.slots[usize::from(slot.0)].1.holds(value), "{value:?}");
        self.slots[usize::from(slot.0)].2 = value;
    }

    fn attribute(&self, attribute: AttributeIndex) -> Value {
        self.attributes[usize::from(attribute.0)].1
    }

    fn unit_random(&mut self) -> f64 {
        if self.units.is_empty() { 0.5 } else { self.units.remove(0) }
    }

    fn other_count(&self, source: SourceIndex) -> usize {
        if source.0 == 0 { self.neighbours.len() } else { 0 }
    }

    fn other(&self, _: SourceIndex, position: usize, attribute: AttributeIndex) -> Value {
        let (age, sick) = self.neighbours[position];
        if attribute.0 == 0 { age } else { sick }
    }

    fn word(&self, text: ustr::Ustr) -> Option<f64> {
        (text == "RED").then_some(1.0)
    }
}

fn ast(text: &str) -> Ast {
    Ast::parse(text, Position { line: 1, column: 1 }).unwrap_or_else(|p| panic!("{text}: {p:?}"))
}

fn compiled(person: &mut Person, text: &str) -> Program {
    Program::compile(&ast(text), person).unwrap_or_else(|p| panic!("{text}: {p:?}"))
}

fn problems(person: &mut Person, text: &str) -> Vec<TreeProblem> {
    Program::compile(&ast(text), person).expect_err(text)
}

fn run(person: &mut Person, text: &str) -> Result {
    compiled(person, text).evaluate(person)
}

/// The value of an expression without names.
fn value(text: &str) -> Value {
    run(&mut Person::default(), text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn neighbours() -> Person {
    let of = |age, sick| (Value::Int(age), Value::Bool(sick));
    Person { neighbours: vec![of(30, true), of(40, false), of(8, true)], ..Person::default() }
}

/// The equations of BehaviorTree.CPP's script tests, in order on one blackboard.
#[test]
fn scripts_of_behaviortree_cpp_give_its_values() {
    let mut person = Person::default();
    let cases = [
        ("x:= 3; y:=5; x+y", 8.0),
        ("x+=1", 4.0),
        ("x -= 1", 3.0),
        ("x*=2", 6.0),
        ("-x", -6.0),
        ("x/=2", 3.0),
        ("y/2", 2.5),
        ("y & x", 1.0),
        ("y | x", 7.0),
        ("y ^ x", 6.0),
        ("x < y", 1.0),
        ("y == x", 0.0),
        ("x == 3", 1.0),
        (" 'hello' < 'world'", 1.0),
        ("v1:= true; v2:= false; v1 && v2", 0.0),
        ("v2 = !v2", 1.0),
        (" y == x  ||  x == 3 ", 1.0),
        ("1 < 2 < 3", 1.0),
        ("3 > 2 > 2", 0.0),
        ("0.1 + 0.2 == 0.3", 1.0),
        ("n := 0; n := (n==1)?2:1", 1.0),
        ("colour := 'RED'; colour == RED", 1.0),
        ("'7' == 7", 1.0),
    ];
    for (text, wanted) in cases {
        let found = run(&mut person, text).map(Value::as_number);
        assert_eq!(found, Ok(Some(wanted)), "{text}");
    }
    let text = run(&mut person, "A:='hello'; B:=' '; C:='world'; A+B+C").unwrap();
    assert_eq!(text, Value::Text(ustr("hello world")));
    assert_eq!(run(&mut person, "y != x ? 'T' : 'F'").unwrap(), Value::Text(ustr("T")));
    for refused in ["y ^ 5.1", "x = A", "x = 'msg'", "A = 1.0", "A - 'o'", "x + A"] {
        let program = Program::compile(&ast(refused), &mut person);
        let failed = program.is_err_and(|p| !p.is_empty())
            || compiled(&mut person, refused).evaluate(&mut person).is_err();
        assert!(failed, "{refused}");
    }
    assert_eq!(problems(&mut person, "new_var = 69")[0].code, "unknown-name");
}

#[test]
fn whole_numbers_stay_whole_but_for_division() {
    assert_eq!(value("7 / 2"), Value::Number(3.5));
    assert_eq!(value("2 * 3 - 1"), Value::Int(5));
    assert_eq!(value("-7 % 3"), Value::Int(-1));
    assert_eq!(value("1 + 0.5"), Value::Number(1.5));
    assert_eq!(value("floor(-2.5) + ceil(0.1)"), Value::Int(-2));
    assert_eq!(value("round(2.5)"), Value::Int(3));
    assert_eq!(value("true + true"), Value::Int(2));
    assert_eq!(value("'a' .. 3 .. 'b'"), Value::Text(ustr("a3b")));
    assert_eq!(value("min(3, 1.5, 2)"), Value::Number(1.5));
    assert_eq!(value("max(3, 1.5)"), Value::Int(3));
    assert_eq!(value("clamp(7, 0, 5)"), Value::Int(5));
    assert_eq!(value("pow(2, 10)"), Value::Number(1024.0));
    assert_eq!(value("abs(-3)"), Value::Int(3));
    assert_eq!(value("1.0 / 0"), Value::Number(f64::INFINITY));
}

#[test]
fn constants_are_worked_out_once() {
    let mut person =
        Person { attributes: vec![("hunger", Value::Number(0.2))], ..Person::default() };
    for text in ["1 + 2 * 3", "false && hunger < 1", "true || chance(1)", "1 > 2 ? hunger : 7"] {
        assert!(compiled(&mut person, text).constant().is_some(), "{text}");
    }
    assert_eq!(compiled(&mut person, "chance(1)").constant(), None);
    assert_eq!(problems(&mut person, "1 % 0")[0].code, "constant-fails");
    assert_eq!(problems(&mut person, "9223372036854775807 + 1")[0].code, "constant-fails");
    assert_eq!(problems(&mut person, "false && missing")[0].code, "unknown-name");
}

#[test]
fn a_name_beside_a_constant_is_one_operation() {
    let mut person =
        Person { attributes: vec![("needs.hunger", Value::Number(0.2))], ..Person::default() };
    let program = compiled(&mut person, "needs.hunger < 0.3");
    assert_eq!(program.ops.len(), 1);
    assert_eq!(program.is_true(&mut person), Ok(true));
    assert_eq!(compiled(&mut person, "0.3 < needs.hunger").ops.len(), 1);
    assert_eq!(run(&mut person, "0.3 < needs.hunger"), Ok(Value::Bool(false)));
    assert_eq!(run(&mut person, "0.1 < needs.hunger <= 0.2 && 1"), Ok(Value::Bool(true)));
    person.attributes[0].1 = Value::Text(ustr("0.25"));
    assert_eq!(run(&mut person, "needs.hunger < 0.3"), Ok(Value::Bool(true)));
}

#[test]
fn types_are_checked_before_the_run() {
    let mut person = Person {
        slots: vec![
            ("age", ValueType::Int, Value::Unset),
            ("mood", ValueType::Text, Value::Unset),
            ("home", ValueType::Place, Value::Unset),
            ("at", ValueType::Time, Value::Unset),
        ],
        ..Person::default()
    };
    for text in [
        "age = 'old'",
        "age = 1.5",
        "mood = 3",
        "mood == 3",
        "age == 'old'",
        "home + 1",
        "home < home",
        "home && true",
        "mood - mood",
        "!mood",
        "home ? 1 : 2",
        "abs(mood)",
        "at * 2",
        "home == mood",
        "min(1, mood)",
        "sum(neighbours, home)",
        "home = 1",
        "mood += 1",
    ] {
        assert_eq!(problems(&mut person, text)[0].code, "wrong-type", "{text}");
    }
    for text in
        ["age = '3'", "age = 3.0", "age = true", "mood = 'x'", "home == home", "at - at < 60"]
    {
        compiled(&mut person, text);
    }
    assert_eq!(compiled(&mut person, "age + 1").kind(), ValueType::Int);
    assert_eq!(compiled(&mut person, "at - at").kind(), ValueType::Int);
    assert_eq!(compiled(&mut person, "age > 1 && true").kind(), ValueType::Bool);
}

#[test]
fn names_that_are_wrong_are_named_with_what_is_near() {
    let mut person = Person {
        attributes: vec![("needs.hunger", Value::Number(0.2))],
        strict: true,
        ..Person::default()
    };
    let found = problems(&mut person, "needs.hungr < 1 && count(neighbors) > 0 && secret");
    let codes: Vec<_> = found.iter().map(|problem| (problem.column, problem.code)).collect();
    assert_eq!(codes, [(1, "unknown-name"), (20, "unknown-source"), (44, "slot-not-allowed")]);
    assert!(found[0].message.contains("`needs.hunger`"), "{}", found[0].message);
    assert!(found[1].message.contains("`neighbours`"), "{}", found[1].message);
    for (text, code) in [
        ("needs.hunger = 1", "not-assignable"),
        ("x := 1", "unknown-name"),
        ("other.age", "unknown-name"),
        ("count(neighbours, other.height > 1)", "unknown-name"),
        ("count(neighbours, count(neighbours) > 1)", "nested-aggregate"),
        ("count(neighbours, (x := 1))", "not-assignable"),
    ] {
        assert_eq!(problems(&mut person, text)[0].code, code, "{text}");
    }
}

#[test]
fn aggregates_go_over_others_in_order() {
    let mut person = neighbours();
    for (text, wanted) in [
        ("count(neighbours)", Value::Int(3)),
        ("count(neighbours, other.sick)", Value::Int(2)),
        (
            "count(neighbours, other.age >= 30 && other.sick) / count(neighbours) > 0.3",
            Value::Bool(true),
        ),
        ("mean(neighbours, other.age)", Value::Number(26.0)),
        ("sum(neighbours, other.age * 2)", Value::Int(156)),
        ("min_of(neighbours, other.age)", Value::Int(8)),
        ("max_of(neighbours, other.age)", Value::Int(40)),
        ("any(neighbours, other.age > 35)", Value::Bool(true)),
        ("all(neighbours, other.age > 35)", Value::Bool(false)),
        ("count(nobody)", Value::Int(0)),
        ("count(nobody, other.sick)", Value::Int(0)),
        ("sum(nobody, other.age)", Value::Int(0)),
        ("any(nobody, other.sick)", Value::Bool(false)),
        ("all(nobody, other.sick)", Value::Bool(true)),
        ("mean(nobody, other.age, 1 + 1)", Value::Int(2)),
        ("mean(neighbours, other.age, 2)", Value::Number(26.0)),
    ] {
        assert_eq!(run(&mut person, text), Ok(wanted), "{text}");
    }
    assert_eq!(
        run(&mut person, "max_of(nobody, other.age)"),
        Err(EvalError::Nobody(Aggregate::MaxOf))
    );
    person.neighbours[1].0 = Value::Unset;
    let program = compiled(&mut person, "sum(neighbours, other.age)");
    let error = program.evaluate(&mut person).unwrap_err();
    assert_eq!(program.explain(error), "`other.age` is not set");
}

#[test]
fn errors_say_what_and_where() {
    let mut person = Person {
        slots: vec![
            ("any", ValueType::Any, Value::Unset),
            ("int", ValueType::Int, Value::Int(1)),
            ("number", ValueType::Number, Value::Number(1.0)),
            ("text", ValueType::Any, Value::Text(ustr("old"))),
            ("flag", ValueType::Bool, Value::Bool(true)),
            ("large", ValueType::Int, Value::Int(i64::MAX)),
        ],
        attributes: vec![("job", Value::Unset)],
        ..Person::default()
    };
    for (text, wanted) in [
        ("any + 1", "`any` is not set"),
        ("any += 1", "`any` is not set"),
        ("any < 0", "`any` is not set"),
        ("job == 1", "`job` is not set"),
        ("text < 3", "`<` needs a number and found a text that says none"),
        ("text && true", "a condition does not take a value of type text"),
        ("int % (int - 1)", "a whole number is divided by 0"),
        ("int / (int - 1)", "a whole number is divided by 0"),
        ("number = number / 0", "`number` found a number that is infinite or not a number"),
        ("int = number / 2", "`int` needs a whole number"),
        ("large + int", "the result of `+` is too large"),
        ("int = text", "`int` needs a number and found a text that says none"),
        ("text = int", "`text` does not take a value of type int"),
        ("number & 0.5", "`&` needs a whole number"),
        ("random_int(int, 0)", "`random_int` takes its lower limit first and no negative spread"),
    ] {
        let program = compiled(&mut person, text);
        let error = program.evaluate(&mut person).expect_err(text);
        assert_eq!(program.explain(error), wanted, "{text}");
    }
    assert_eq!(run(&mut person, "int = number * 4"), Ok(Value::Int(4)));
    assert_eq!(run(&mut person, "flag = 0"), Ok(Value::Bool(false)));
}

#[test]
fn what_is_not_needed_is_not_evaluated() {
    let mut person =
        Person { slots: vec![("x", ValueType::Any, Value::Unset)], ..Person::default() };
    person.attributes.push(("one", Value::Number(1.0)));
    assert_eq!(run(&mut person, "one == 0 && x"), Ok(Value::Bool(false)));
    assert_eq!(run(&mut person, "one == 1 || x"), Ok(Value::Bool(true)));
    assert_eq!(run(&mut person, "one == 1 ? 2 : x"), Ok(Value::Int(2)));
    assert_eq!(run(&mut person, "2 < one < x"), Ok(Value::Bool(false)));
}

#[test]
fn texts_are_bounded() {
    let mut person = Person::default();
    run(&mut person, "t := 'abcdefgh'").unwrap();
    let error = (0..20).find_map(|_| run(&mut person, "t += t").err());
    assert_eq!(error, Some(EvalError::TextTooLong));
    let Value::Text(text) = person.slots[0].2 else { panic!("no text") };
    assert_eq!(text.len(), 4_096);
}

/// Each draw from the numbers in [0, 1) that it is given.
#[test]
fn draws_are_functions_of_the_random_numbers() {
    let mut person = Person { units: vec![0.29, 0.3, 0.25, 0.999, 0.0], ..Person::default() };
    assert_eq!(run(&mut person, "chance(0.3)"), Ok(Value::Bool(true)));
    assert_eq!(run(&mut person, "chance(0.3)"), Ok(Value::Bool(false)));
    assert_eq!(run(&mut person, "uniform(2, 4)"), Ok(Value::Number(2.5)));
    assert_eq!(run(&mut person, "random_int(1, 6)"), Ok(Value::Int(6)));
    assert_eq!(run(&mut person, "random_int(1, 6)"), Ok(Value::Int(1)));
}

/// Mean 10 and standard deviation 2 within five standard errors at n = 20,000.
#[test]
fn normal_draws_have_their_mean_and_spread() {
    use crate::base::rng::{Purpose, Stream};
    let mut stream = Stream::of_index(3, 0, Purpose::Script);
    let mut person = Person::default();
    let program = compiled(&mut person, "normal(10, 2)");
    let n = 20_000;
    let draws: Vec<f64> = (0..n)
        .map(|_| {
            person.units = vec![stream.unit_f64(), stream.unit_f64()];
            program.evaluate(&mut person).unwrap().as_number().unwrap()
        })
        .collect();
    let mean = draws.iter().sum::<f64>() / f64::from(n);
    let spread = (draws.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / f64::from(n)).sqrt();
    assert!((mean - 10.0).abs() < 5.0 * 2.0 / f64::from(n).sqrt(), "{mean}");
    assert!((spread - 2.0).abs() < 5.0 * 2.0 / f64::from(2 * n).sqrt(), "{spread}");
}

#[test]
fn the_stack_is_bounded() {
    let mut person = Person { attributes: vec![("a", Value::Number(1.0))], ..Person::default() };
    let nested = |n| format!("{}a{}", "a + (".repeat(n), ")".repeat(n));
    assert_eq!(run(&mut person, &nested(31)), Ok(Value::Number(32.0)));
    assert_eq!(problems(&mut person, &nested(32))[0].code, "expression-too-deep");
    // The highest tree that is read is compiled and written as well.
    let row = format!("a{}", " + a".repeat(255));
    assert_eq!(run(&mut person, &row), Ok(Value::Number(256.0)));
    assert_eq!(ast(&row).to_string(), row);
}
