//! What confines a process that runs scripts: environment, process group, limits, and on Linux
//! a filter of system calls (seccomp) and of files (Landlock).
//!
//! The last two are what the running kernel offers; [`Confinement::here`] says what that is.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use super::error::HostError;
use super::settings::passed_environment;

/// Names of environment variables that scripts may see where they are set here: AgentSociety's
/// list (contract 1.4).
const PASSED: [&str; 9] = [
    "PATH",
    "HOME",
    "USER",
    "SHELL",
    "PYTHONUNBUFFERED",
    "LITELLM_MODEL",
    "LITELLM_BASE_URL",
    "AGENT_MEMORY_MAX_ENTRIES",
    "AGENT_MEMORY_STRENGTH",
];

/// What a confined process may do.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// Address space in bytes, if the process does not limit it itself.
    pub memory_bytes: Option<u64>,
    /// Largest file it may write, in bytes.
    pub file_bytes: u64,
    /// Whether it may start processes.
    pub processes: bool,
    /// Whether it may open network sockets.
    pub network: bool,
    /// What it may read beside the system's own folders.
    pub readable: Vec<PathBuf>,
    /// Where it may write, and read.
    pub writable: Vec<PathBuf>,
}

/// What confines scripts on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Confinement {
    /// System calls are filtered.
    pub seccomp: bool,
    /// Files are filtered.
    pub landlock: bool,
}

/// The environment of every script: what is set here of the allowed names, and what the scenario
/// passes on.
pub fn environment(extra: &[(String, String)]) -> Vec<(String, String)> {
    let mut all = passed_environment(&PASSED);
    all.retain(|(name, _)| extra.iter().all(|(other, _)| other != name));
    all.extend(extra.iter().cloned());
    all.sort();
    all
}

/// Gives `command` a clean environment, a process group of its own and the limits.
///
/// # Errors
/// The system calls or files to filter cannot be put into a filter.
pub fn confine(
    command: &mut Command,
    environment: &[(String, String)],
    limits: &Limits,
) -> Result<(), HostError> {
    command.env_clear();
    command.envs(environment.iter().map(|(name, value)| (OsString::from(name), value)));
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        command.process_group(0);
    }
    #[cfg(target_os = "linux")]
    linux::confine(command, limits)?;
    #[cfg(not(target_os = "linux"))]
    let _ = limits;
    Ok(())
}

/// Kills a process and all of its group.
#[cfg(unix)]
pub fn kill_group(process: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = i32::try_from(process).ok().and_then(Pid::from_raw) {
        // A group that is gone needs no killing.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// Whether a process has ended; it is not waited for, so that its number stays its own.
#[cfg(unix)]
pub fn has_ended(child: &std::process::Child) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    !matches!(waitid(WaitId::Pid(rustix::process::Pid::from_child(child)), options), Ok(None))
}

/// Where there are no groups, the caller's `kill` has to do.
#[cfg(not(unix))]
pub fn kill_group(_process: u32) {}

impl Confinement {
    /// What this machine offers.
    pub fn here() -> Self {
        #[cfg(target_os = "linux")]
        return linux::confinement();
        #[cfg(not(target_os = "linux"))]
        Self { seccomp: false, landlock: false }
    }
}

/// The system's folders that programs read.
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Landlock asks"))]
fn system_folders() -> Vec<PathBuf> {
    let all = ["/usr", "/lib", "/lib64", "/bin", "/sbin", "/etc", "/opt", "/proc", "/sys", "/dev"];
    all.into_iter().map(PathBuf::from).filter(|path| path.exists()).collect()
}

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::BTreeMap;
    use std::io;
    use std::os::unix::process::CommandExt;
    use std::path::Path;
    use std::process::Command;

    use landlock::{
        ABI, Access, AccessFs, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreated,
        RulesetCreatedAttr, Scope, path_beneath_rules,
    };
    use rustix::process::{Resource, Rlimit, Signal, set_parent_process_death_signal, setrlimit};
    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
        SeccompRule, TargetArch,
    };

    use super::{Confinement, HostError, Limits, system_folders};

    /// The newest version of Landlock whose rights are asked for; an older kernel gives what it
    /// has.
    const LANDLOCK: ABI = ABI::V6;

    /// Files open at a time.
    const FILES_MAX: u64 = 1_024;

    pub fn confine(command: &mut Command, limits: &Limits) -> Result<(), HostError> {
        let refused = filter(SeccompAction::Errno(libc::EPERM as u32), refused(limits)?)?;
        // Programs are expected to know an older call where this one is not there.
        let absent = if limits.processes {
            None
        } else {
            let rules = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
            Some(filter(SeccompAction::Errno(libc::ENOSYS as u32), rules)?)
        };
        let mut files = Some(ruleset(limits)?);
        let (memory, file_bytes) = (limits.memory_bytes, limits.file_bytes);
        let processes = limits.processes;
        let enter = move || {
            let limit = |resource, bytes| {
                setrlimit(resource, Rlimit { current: Some(bytes), maximum: Some(bytes) })
            };
            limit(Resource::Core, 0)?;
            limit(Resource::Nofile, FILES_MAX)?;
            limit(Resource::Fsize, file_bytes)?;
            if let Some(bytes) = memory {
                limit(Resource::As, bytes)?;
            }
            if processes {
                // However many it starts, whoever watches them still gets its turn.
                rustix::process::nice(19)?;
                // Whoever loses its parent stays among its descendants, where it is seen.
                rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
            }
            set_parent_process_death_signal(Some(Signal::KILL))?;
            rustix::thread::set_no_new_privs(true)?;
            if let Some(files) = files.take() {
                files.restrict_self().map_err(|_| io::Error::from(io::ErrorKind::Unsupported))?;
            }
            for program in absent.iter().chain([&refused]) {
                seccompiler::apply_filter(program)
                    .map_err(|_| io::Error::from(io::ErrorKind::Unsupported))?;
            }
            Ok(())
        };
        #[expect(unsafe_code, reason = "the only way to limit a process before it begins")]
        // SAFETY: between fork and exec only async-signal-safe work may be done. `enter` makes
        // system calls on values that were built before the fork and allocates nothing on its
        // way.
        unsafe {
            command.pre_exec(enter);
        }
        Ok(())
    }

    pub fn confinement() -> Confinement {
        let landlock = Ruleset::default()
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(AccessFs::from_all(ABI::V1))
            .and_then(Ruleset::create)
            .is_ok();
        let seccomp = Path::new("/proc/sys/kernel/seccomp/actions_avail").exists();
        Confinement { seccomp, landlock }
    }

    type Rules = BTreeMap<i64, Vec<SeccompRule>>;

    fn filter(action: SeccompAction, rules: Rules) -> Result<BpfProgram, HostError> {
        let make = || {
            let arch = TargetArch::try_from(std::env::consts::ARCH)?;
            let filter = SeccompFilter::new(rules, SeccompAction::Allow, action, arch)?;
            BpfProgram::try_from(filter)
        };
        make().map_err(|error| HostError::Confinement { reason: error.to_string() })
    }

    /// The calls that fail with "not permitted".
    fn refused(limits: &Limits) -> Result<Rules, HostError> {
        let mut rules: Rules = [
            // Out of the process group: killing the group would no longer kill all.
            libc::SYS_setsid,
            libc::SYS_setpgid,
            // Into other processes, other name spaces, the kernel.
            libc::SYS_ptrace,
            libc::SYS_process_vm_readv,
            libc::SYS_process_vm_writev,
            libc::SYS_unshare,
            libc::SYS_setns,
            libc::SYS_mount,
            libc::SYS_umount2,
            libc::SYS_pivot_root,
            libc::SYS_chroot,
            libc::SYS_bpf,
            libc::SYS_perf_event_open,
            libc::SYS_io_uring_setup,
            libc::SYS_kexec_load,
            libc::SYS_init_module,
            libc::SYS_finit_module,
            libc::SYS_delete_module,
            libc::SYS_keyctl,
            libc::SYS_add_key,
            libc::SYS_request_key,
            libc::SYS_reboot,
            libc::SYS_swapon,
            libc::SYS_swapoff,
        ]
        .into_iter()
        .map(|call| (call, Vec::new()))
        .collect();
        if !limits.processes {
            // A thread is a clone with CLONE_THREAD; anything else is a process.
            let thread = libc::CLONE_THREAD as u64;
            rules.insert(libc::SYS_clone, vec![rule(0, SeccompCmpOp::MaskedEq(thread), 0)?]);
            #[cfg(target_arch = "x86_64")]
            for call in [libc::SYS_fork, libc::SYS_vfork] {
                rules.insert(call, Vec::new());
            }
        }
        // The limits of other processes.
        rules.insert(libc::SYS_prlimit64, vec![rule(0, SeccompCmpOp::Ne, 0)?]);
        // Signals to the engine, or to all, where Landlock does not see to it.
        let engine = u64::from(std::process::id());
        let all = u64::from(u32::MAX);
        let targets = || [engine, all].map(|target| rule(0, SeccompCmpOp::Eq, target));
        for call in [libc::SYS_kill, libc::SYS_tkill, libc::SYS_tgkill, libc::SYS_pidfd_open] {
            rules.insert(call, targets().into_iter().collect::<Result<_, _>>()?);
        }
        if !limits.network {
            let families = [libc::AF_INET, libc::AF_INET6, libc::AF_PACKET, libc::AF_NETLINK];
            let sockets: Result<Vec<_>, _> =
                families.iter().map(|family| rule(0, SeccompCmpOp::Eq, *family as u64)).collect();
            rules.insert(libc::SYS_socket, sockets?);
        }
        Ok(rules)
    }

    fn rule(argument: u8, operator: SeccompCmpOp, value: u64) -> Result<SeccompRule, HostError> {
        let length = SeccompCmpArgLen::Dword;
        SeccompCondition::new(argument, length, operator, value)
            .and_then(|condition| SeccompRule::new(vec![condition]))
            .map_err(|error| HostError::Confinement { reason: error.to_string() })
    }

    /// Which files may be read and written; nothing else is there.
    fn ruleset(limits: &Limits) -> Result<RulesetCreated, HostError> {
        let all = AccessFs::from_all(LANDLOCK);
        let read = AccessFs::from_read(LANDLOCK);
        let mut readable = system_folders();
        readable.extend(limits.readable.iter().cloned());
        let write = all & !(AccessFs::MakeChar | AccessFs::MakeBlock);
        let device = AccessFs::from_file(LANDLOCK);
        let make = || {
            Ruleset::default()
                .handle_access(all)?
                .scope(Scope::from_all(LANDLOCK))?
                .create()?
                .add_rules(path_beneath_rules(readable, read))?
                .add_rules(path_beneath_rules(&limits.writable, write))?
                .add_rules(path_beneath_rules(["/dev/null"], device))
        };
        make().map_err(|error| HostError::Confinement { reason: error.to_string() })
    }
}
