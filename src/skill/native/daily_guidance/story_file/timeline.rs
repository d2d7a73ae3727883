//! Times of day in a Story document, and where the clock is among its segments.

use serde_json::Value;

/// Minutes in a day; the end of a day's last segment.
pub const DAY_MIN: u16 = 1_440;

/// Minutes after midnight of `HH:MM` (24 hours, two digits each, 00:00 to 23:59) or `24:00`.
pub fn minute_of(text: &str) -> Option<u16> {
    let bytes = text.as_bytes();
    if bytes.len() != 5 || bytes[2] != b':' {
        return None;
    }
    let digit = |at: usize| bytes[at].is_ascii_digit().then(|| u16::from(bytes[at] - b'0'));
    let hour = digit(0)? * 10 + digit(1)?;
    let minute = digit(3)? * 10 + digit(4)?;
    let total = hour * 60 + minute;
    (minute < 60 && total <= DAY_MIN).then_some(total)
}

/// `HH:MM` of `minute` after midnight; anything past the day's end gives `24:00`.
pub fn clock_text(minute: u16) -> String {
    let minute = minute.min(DAY_MIN);
    format!("{:02}:{:02}", minute / 60, minute % 60)
}

/// Text of a segment's field.
pub fn field<'a>(segment: &'a Value, key: &str) -> Option<&'a str> {
    segment.get(key)?.as_str()
}

/// Start and end of a segment in minutes after midnight; `None` if either is unreadable.
pub fn span(segment: &Value) -> Option<(u16, u16)> {
    Some((minute_of(field(segment, "start")?)?, minute_of(field(segment, "end")?)?))
}

/// Index of the first segment with start <= `minute` < end.
pub fn active(segments: &[Value], minute: u16) -> Option<usize> {
    segments.iter().position(|segment| {
        span(segment).is_some_and(|(start, end)| start <= minute && minute < end)
    })
}

/// Ids of the segments that ended at or before `minute`.
pub fn completed(segments: &[Value], minute: u16) -> Vec<Value> {
    segments
        .iter()
        .filter(|segment| span(segment).is_some_and(|(_, end)| end <= minute))
        .filter_map(|segment| segment.get("id").cloned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Contract: zero-padded 00:00 to 23:59, or exactly 24:00.
    #[test]
    fn times_of_day_are_strict() {
        for (text, minute) in [("00:00", 0), ("09:05", 545), ("23:59", 1_439), ("24:00", 1_440)] {
            assert_eq!(minute_of(text), Some(minute));
            assert_eq!(clock_text(minute), text);
        }
        for bad in ["7:00", "24:01", "25:00", "12:60", "12:0a", "1２:0", "+1:00", "", "12:00 "] {
            assert_eq!(minute_of(bad), None, "{bad:?}");
        }
    }

    /// Contract: active = first with start <= now < end; completed = now >= end.
    #[test]
    fn a_boundary_belongs_to_the_later_segment() {
        let segments = [
            json!({"id": "a", "start": "00:00", "end": "07:00"}),
            json!({"id": "b", "start": "07:00", "end": "24:00"}),
        ];
        assert_eq!(active(&segments, 419), Some(0));
        assert_eq!(active(&segments, 420), Some(1));
        assert_eq!(completed(&segments, 420), [json!("a")]);
        assert_eq!(active(&segments, DAY_MIN), None);
    }
}
