//! Fixed chunks and ordered merge: the only place that names rayon.
//!
//! Work is cut into chunks whose size never depends on the number of threads, and results come
//! back in chunk order. A caller that sums or concatenates them in that order gives the same
//! answer on any machine.

use rayon::prelude::*;

/// Agents per chunk unless the run says otherwise. Large enough to amortise a task, small enough
/// to balance two cores at a few thousand agents and to keep a chunk's columns in the L2 cache.
pub const CHUNK_LEN: usize = 1_024;

/// Runs `work` on every item; items run in any order.
pub fn for_each<T: Send>(items: Vec<T>, work: impl Fn(T) + Sync + Send) {
    if items.len() < 2 {
        items.into_iter().for_each(work);
    } else {
        items.into_par_iter().for_each(work);
    }
}

/// Runs `work` on every item where it lies; items run in any order.
pub fn for_each_mut<T: Send>(items: &mut [T], work: impl Fn(&mut T) + Sync + Send) {
    if items.len() < 2 {
        items.iter_mut().for_each(work);
    } else {
        items.par_iter_mut().for_each(work);
    }
}

/// Runs `work` on every item; the results are in the order of the items.
pub fn map<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync + Send) -> Vec<R> {
    if items.len() < 2 {
        items.into_iter().map(work).collect()
    } else {
        items.into_par_iter().map(work).collect()
    }
}

/// Runs `work(0)`, `work(1)` … `work(count - 1)`; the results are in that order.
pub fn map_range<R: Send>(count: usize, work: impl Fn(usize) -> R + Sync + Send) -> Vec<R> {
    (0..count).into_par_iter().with_min_len(1).map(work).collect()
}

/// Runs `work` with `threads` worker threads (0 = one per core) for everything in this module.
///
/// # Errors
/// The operating system's word if the threads cannot be started.
pub fn with_threads<R: Send>(
    threads: usize,
    work: impl FnOnce() -> R + Send,
) -> Result<R, std::io::Error> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|index| format!("populace-{index}"))
        .build()
        .map_err(std::io::Error::other)?;
    Ok(pool.install(work))
}

/// The number of threads that work in this module now.
pub fn thread_count() -> usize {
    rayon::current_num_threads()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_the_order_of_the_items() {
        let squares = with_threads(2, || map((0..1_000).collect(), |n: i64| n * n)).unwrap();
        assert!(squares.iter().enumerate().all(|(i, s)| *s == (i * i) as i64));
    }
}
