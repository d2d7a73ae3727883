//! What can be typed after `populace bench`.

use clap::Args;

/// `populace bench`.
///
/// Each row of the table is measured in a process of its own, so that its peak memory (VmHWM) is
/// its own. A run to warm up gives the memory; of the rounds after it the one with the median
/// speed gives the rest. agent-steps/s are of the ticks alone; rows/s of the ticks and the closing
/// of the files, which go to the system's temporary folder (TMPDIR) and are removed. B/agent is
/// what resident memory grows by from before the population is made to the end of the last tick.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    populace bench --list\n  \
    populace bench daily_mobility --agents 100k,1M --threads 1,2\n  \
    populace bench tree_tick --json")]
pub struct BenchArgs {
    /// What to measure: names of `--list` or what they begin with. All, if none is given.
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// Numbers of agents, such as 10000, 10k or 1M. What has a size of its own keeps it.
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = count)]
    pub agents: Vec<u64>,
    /// Number of ticks.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub ticks: Option<u32>,
    /// Numbers of worker threads, 1 to 1024.
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = [1, 2],
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Vec<u16>,
    /// Rounds after the warm-up, of which the median counts.
    #[arg(long, value_name = "N", default_value_t = 3,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: u32,
    /// Print JSON instead of a table.
    #[arg(long)]
    pub json: bool,
    /// Say what can be measured.
    #[arg(long)]
    pub list: bool,
    /// Measure one row in this process and print it as JSON; how the command calls itself.
    #[arg(long, hide = true)]
    pub row: bool,
}

/// A number above 0, with `k` for thousands or `M` for millions behind it if wanted.
fn count(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.strip_suffix(['k', 'M']) {
        Some(digits) if text.ends_with('k') => (digits, 1_000),
        Some(digits) => (digits, 1_000_000),
        None => (text, 1),
    };
    let number = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    number.filter(|number| *number > 0).ok_or_else(|| "write 10000, 10k or 1M".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_units() {
        assert_eq!([count("7"), count("10k"), count("2M")], [Ok(7), Ok(10_000), Ok(2_000_000)]);
        for text in ["", "0", "k", "1G", "-1", "1.5M", "99999999999999999999", "18446744073709552k"]
        {
            count(text).unwrap_err();
        }
    }
}
