//! Reading and writing. Precedence is that of C++ (its operator table) where BehaviorTree.CPP
//! agrees, else BehaviorTree.CPP 4's (its scripting guide and grammar), as each test says.

use proptest::prelude::*;

use super::*;

fn read(text: &str) -> Result<Ast, TreeProblem> {
    Ast::parse(text, Position::default())
}

fn code(text: &str) -> &'static str {
    read(text).expect_err(text).code
}

/// Whether two texts say the same.
fn same(left: &str, right: &str) {
    assert_eq!(read(left).unwrap(), read(right).unwrap(), "{left}");
}

/// C++ and BehaviorTree.CPP agree.
#[test]
fn operators_bind_as_in_cpp() {
    same("1 + 2 * 3", "1 + (2 * 3)");
    same("10 - 4 - 3", "(10 - 4) - 3");
    same("8 / 4 * 2 % 3", "((8 / 4) * 2) % 3");
    same("-a * b", "(-a) * b");
    same("!a == b", "(!a) == b");
    same("~a & b", "(~a) & b");
    same("a + b < c - d", "(a + b) < (c - d)");
    same("a == b && c != d", "(a == b) && (c != d)");
    same("a && b || c", "(a && b) || c");
    same("a & b | c", "(a & b) | c");
    same("a & b ^ c", "(a & b) ^ c");
    same("a ^ b | c", "(a ^ b) | c");
    same("a || b ? c : d", "(a || b) ? c : d");
    same("a ? b : c ? d : e", "a ? b : (c ? d : e)");
    same("x = a ? b : c", "x = (a ? b : c)");
    same("x -1", "x - 1");
    assert_ne!(read("1 - (2 - 3)").unwrap(), read("1 - 2 - 3").unwrap());
}

/// BehaviorTree.CPP, Python and Rust against C++.
#[test]
fn bits_bind_closer_than_comparisons() {
    same("flags & 4 == 4", "(flags & 4) == 4");
    same("a | b < c", "(a | b) < c");
}

/// C++ reads `a || (b && c)`, BehaviorTree.CPP has `||` and `&&` on one level.
#[test]
fn what_two_languages_read_differently_is_refused() {
    assert_eq!(code("a || b && c"), "ambiguous-operators");
    assert_eq!(code("a || b == 1 && c"), "ambiguous-operators");
    assert_eq!(code("a && b || c && d"), "ambiguous-operators");
    assert_eq!(code("a | b ^ c"), "ambiguous-operators");
    same("a or b and c", "a || (b && c)");
    assert!(read("a || (b && c)").is_ok() && read("(a || b) && c").is_ok());
}

/// Python's rules of `and`, `or`, `not`.
#[test]
fn words_are_operators() {
    same("not a == b", "!(a == b)");
    same("not a and b or c", "((!a) && b) || c");
    same("a and not b", "a && (!b)");
    same("nothing", "nothing");
    assert_eq!(code("1 + not a"), "expression-syntax");
}

/// Cases of BehaviorTree.CPP's own grammar: literals, statements, assignments.
#[test]
fn literals_and_statements_are_those_of_behaviortree_cpp() {
    same("0x100", "256");
    same("0X1f", "31");
    same("3.14e2", "314.0");
    same("3e-2", "0.03");
    same("\"a b\"", "'a b'");
    same("A:=5;\n B:=6", "A := 5; B := 6");
    same("x+=1", "x += 1");
    same("(x := 3) + 1", "((x := 3)) + 1");
    for text in ["0x100g", "0x100.", "3foo", "65.", "65.43foo", ".5", "'open", "1 2", "x = = 1"] {
        assert_eq!(code(text), "expression-syntax", "{text}");
    }
    for text in ["'hello' = 'world'", "3.0 = 2.0", "a = b = c", "", " ", ";", "a ? b", "(a", "a)"] {
        assert_eq!(code(text), "expression-syntax", "{text}");
    }
    assert_eq!(read("a; b;").unwrap().statements.len(), 2);
}

#[test]
fn names_have_dots_and_any_letters() {
    for name in ["needs.hunger", "self.age", "饥饿", "größe.é", "@root", "_x1", "a.b.c"] {
        assert!(matches!(
            &read(name).unwrap().statements[0].kind,
            ExprKind::Name(found) if found == name
        ));
    }
    same("a..b", "a .. b");
    assert_eq!(code("a."), "expression-syntax");
    assert_eq!(code("{hunger} < 3"), "expression-syntax");
}

#[test]
fn comparisons_chain() {
    let ast = read("a < b <= c").unwrap();
    assert!(matches!(&ast.statements[0].kind, ExprKind::Comparison(_, rest) if rest.len() == 2));
    assert_ne!(ast, read("(a < b) <= c").unwrap());
}

#[test]
fn functions_are_known_and_count_their_arguments() {
    assert!(read("clamp(x, 0, 1) + min(1, 2, 3)").is_ok());
    assert!(read("mean(neighbours, other.age, 0)").is_ok());
    assert_eq!(code("clamp(x, 0)"), "wrong-arguments");
    assert_eq!(code("min()"), "wrong-arguments");
    assert_eq!(code("sum(here)"), "wrong-arguments");
    assert_eq!(code("count()"), "expression-syntax");
    let problem = read("florr(x)").unwrap_err();
    assert_eq!(problem.code, "unknown-function");
    assert!(problem.message.contains("did you mean `floor`"), "{}", problem.message);
}

#[test]
fn a_mistake_has_its_line_and_column() {
    let at = Position { line: 7, column: 20 };
    let place = |text| {
        let problem = Ast::parse(text, at).unwrap_err();
        (problem.line, problem.column)
    };
    assert_eq!(place("饥饿 + )"), (7, 25));
    assert_eq!(place("a := 1;\n  b ++"), (8, 6));
    assert_eq!(place("a + $"), (7, 24));
    assert_eq!(place("a + "), (7, 24));
}

#[test]
fn lengths_and_depths_are_bounded() {
    assert_eq!(code(&"a".repeat(16 * 1024 + 1)), "expression-too-long");
    assert!(read(&format!("{}a{}", "(".repeat(64), ")".repeat(64))).is_ok());
    assert_eq!(code(&format!("{}a{}", "(".repeat(65), ")".repeat(65))), "expression-too-deep");
    assert_eq!(code(&"-".repeat(16_000)), "expression-too-deep");
    assert_eq!(code(&"abs(".repeat(4_000)), "expression-too-deep");
    assert_eq!(code(&format!("{}a", "a ? b : ".repeat(100))), "expression-too-deep");
    assert!(read(&format!("a{}", "+a".repeat(255))).is_ok());
    assert_eq!(code(&format!("a{}", "+a".repeat(256))), "expression-too-deep");
}

// ---- any expression ----

fn expr(kind: ExprKind) -> Expr {
    Expr { kind, at: Position::default(), height: 0 }
}

fn literals() -> impl Strategy<Value = Expr> {
    prop_oneof![
        any::<bool>().prop_map(Literal::Bool),
        (0..=i64::MAX).prop_map(Literal::Int),
        (0.0..f64::MAX).prop_map(Literal::Number),
        "[^']{0,8}".prop_map(Literal::Text),
        "[^\"]{0,8}".prop_map(Literal::Text),
    ]
    .prop_map(|literal| expr(ExprKind::Literal(literal)))
}

fn names() -> impl Strategy<Value = String> {
    "@?[a-z_é饿][a-z0-9_é饿]{0,3}(\\.[a-z_][a-z0-9]{0,3}){0,2}"
        .prop_filter("words are no names", |name| {
            !matches!(name.as_str(), "not" | "and" | "or" | "true" | "false")
        })
}

/// Every kind of expression, as the parser makes them.
pub(in crate::behaviour::expression) fn exprs() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![literals(), names().prop_map(|name| expr(ExprKind::Name(name)))];
    leaf.prop_recursive(6, 40, 4, |inner| {
        let pair = (inner.clone(), inner.clone());
        let one_of = |list: &'static [Binary]| prop::sample::select(list);
        let signs = prop_oneof![
            Just(AssignSign::Create),
            Just(AssignSign::Set),
            one_of(&[Binary::Add, Binary::Subtract, Binary::Multiply, Binary::Divide])
                .prop_map(AssignSign::Change),
        ];
        prop_oneof![
            (prop::sample::select(Unary::ALL), inner.clone())
                .prop_map(|(unary, operand)| ExprKind::Unary(unary, Box::new(operand))),
            (one_of(Binary::ALL), pair).prop_map(|(binary, (left, right))| {
                ExprKind::Binary(binary, Box::new(left), Box::new(right))
            }),
            (
                inner.clone(),
                prop::collection::vec((prop::sample::select(Compare::ALL), inner.clone()), 1..3)
            )
                .prop_map(|(first, rest)| ExprKind::Comparison(Box::new(first), rest)),
            prop::array::uniform3(inner.clone())
                .prop_map(|parts| ExprKind::Choice(Box::new(parts))),
            (names(), signs, inner.clone()).prop_map(|(name, sign, value)| {
                ExprKind::Assignment(Target { name, sign }, Box::new(value))
            }),
            (prop::sample::select(Function::ALL), prop::collection::vec(inner.clone(), 4))
                .prop_map(|(function, mut arguments)| {
                    arguments.truncate(function.arguments().1);
                    ExprKind::Call(function, arguments)
                }),
            (prop::sample::select(Aggregate::ALL), names(), prop::collection::vec(inner, 2))
                .prop_map(|(aggregate, source, mut arguments)| {
                    arguments.truncate(aggregate.arguments().1);
                    ExprKind::Aggregate(aggregate, source, arguments)
                }),
        ]
        .prop_map(expr)
    })
}

proptest! {
    #[test]
    fn what_is_written_reads_as_the_same(
        statements in prop::collection::vec(exprs(), 1..4),
    ) {
        let ast = Ast { statements };
        let text = ast.to_string();
        prop_assert_eq!(read(&text).map_err(|problem| format!("{text}: {problem:?}")), Ok(ast));
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".{0,60}") {
        let _ = read(&text);
    }

    #[test]
    fn any_row_of_words_is_read_or_refused(
        words in prop::collection::vec(prop::sample::select(&WORDS[..]), 0..30),
    ) {
        if let Ok(ast) = read(&words.join(" ")) {
            prop_assert_eq!(read(&ast.to_string()).unwrap(), ast);
        }
    }
}

const WORDS: [&str; 34] = [
    "a", "b.c", "1", "2.5", "'t'", "true", "not", "and", "or", "(", ")", "(", ")", ",", "?", ":",
    ";", "=", ":=", "+=", "==", "<", "&&", "||", "!", "-", "+", "*", "&", "|", "..", "min",
    "count", "chance",
];
