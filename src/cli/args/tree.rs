//! What can be typed after `populace tree`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

pub(super) const EXAMPLES: &str = "Examples:\n  \
    populace tree show skills/commuter/tree.yaml\n  \
    populace tree show tree.xml --as svg --out tree.svg\n  \
    populace tree run tree.xml --ticks 8 --mode once\n  \
    populace tree convert tree.yaml tree.xml\n  \
    populace tree lint tree.yaml\n\n\
    A file is .yaml, .json, .xml (BehaviorTree.CPP 4 or py_trees), workflow.json, or Python whose\n\
    build_tree(ctx) gives nodes of py_trees alone.";

/// What to do with behaviour trees.
#[derive(Debug, Subcommand)]
pub enum TreeCommand {
    /// Draw the trees of a file.
    Show {
        /// A tree.
        file: PathBuf,
        /// How.
        #[arg(long = "as", value_enum, default_value_t = TreePicture::Text, value_name = "KIND")]
        picture: TreePicture,
        /// Write to this file.
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// For a tree in Python: the interpreter, or the folder of a virtual environment.
        #[arg(long, value_name = "PATH")]
        python: Option<PathBuf>,
    },
    /// Tick a tree without a world and tell what happens: leaves may be
    /// `<Stub results="R,S"/>`, which gives one status per tick, and `<SaySomething message=""/>`.
    Run(TreeRunArgs),
    /// Write a tree in another format.
    Convert {
        /// The tree.
        from: PathBuf,
        /// The file to write; its ending says the format.
        to: PathBuf,
        /// The format, if the ending does not say it.
        #[arg(long, value_enum)]
        format: Option<TreeFormat>,
        /// For a tree in Python: the interpreter, or the folder of a virtual environment.
        #[arg(long, value_name = "PATH")]
        python: Option<PathBuf>,
    },
    /// Check a tree: mistakes, and what is allowed but probably not meant.
    Lint {
        /// The tree.
        file: PathBuf,
        /// For a tree in Python: the interpreter, or the folder of a virtual environment.
        #[arg(long, value_name = "PATH")]
        python: Option<PathBuf>,
    },
    /// Print the JSON schema of trees in YAML.
    Schema,
}

/// How to draw a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TreePicture {
    /// Text with lines and signs of Unicode.
    Text,
    /// Text in ASCII.
    Ascii,
    /// For Graphviz.
    Dot,
    /// A picture.
    Svg,
}

/// Arguments of `tree run`.
#[derive(Debug, Args)]
pub struct TreeRunArgs {
    /// A tree.
    pub file: PathBuf,
    /// Number of ticks at most; all that happens in them is kept until the end.
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = ticks())]
    pub ticks: u32,
    /// One traversal per tick, or more while a node asks for it.
    #[arg(long, value_enum, default_value_t = TreeMode::ExactlyOnce)]
    pub mode: TreeMode,
    /// Simulated seconds per tick.
    #[arg(long, default_value_t = 1, value_name = "S")]
    pub tick_s: u32,
    /// Seed of random leaves.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// One JSON object: `roots`, `log` and `trace`, a list with an entry per tick each.
    #[arg(long)]
    pub json: bool,
    /// For a tree in Python: the interpreter, or the folder of a virtual environment.
    #[arg(long, value_name = "PATH")]
    pub python: Option<PathBuf>,
}

/// How much one tick does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TreeMode {
    /// One traversal.
    ExactlyOnce,
    /// Traversals until no node asks to be ticked again.
    Once,
}

/// Formats of trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TreeFormat {
    /// populace's own.
    Yaml,
    /// The same in JSON.
    Json,
    /// BehaviorTree.CPP 4.
    Xml,
    /// py_trees.
    PyTreesXml,
    /// Nodes and edges of an editor.
    Workflow,
}

fn ticks() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=100_000)
}
