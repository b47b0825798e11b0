//! No circles: of two modules of a folder at most one needs the other, through whatever modules between them.
//!
//! An edge is a path in the code, wherever it stands, to the file that holds the module it names. A module and what lies
//! below it are one subject: the edges between them do not count, and for what lies beside it they are one. Nor do tests
//! count, which may use everything.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};

use super::root;

/// A module by its names from the crate's root.
pub(super) type ModulePath = Vec<String>;

/// The modules of a crate, each with its file.
pub(super) struct Crate {
    files: BTreeMap<ModulePath, PathBuf>,
    pub(super) code: BTreeMap<ModulePath, syn::File>,
}

impl Crate {
    pub(super) fn read(root: &Path) -> Self {
        let mut read = Self {
            files: BTreeMap::new(),
            code: BTreeMap::new(),
        };
        let below = root.parent().expect("a crate's folder");
        read.module(Vec::new(), root.to_owned(), below);
        read
    }

    /// Takes in a file, and those of the modules it declares, which lie in the folder `below`.
    fn module(&mut self, module: ModulePath, file: PathBuf, below: &Path) {
        let text = std::fs::read_to_string(&file).expect("the file is text");
        let code = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        for item in &code.items {
            let syn::Item::Mod(child) = item else { continue };
            if child.content.is_some() || is_test(&child.attrs) {
                continue;
            }
            let name = child.ident.to_string();
            let beside = below.join(format!("{name}.rs"));
            let file = if beside.exists() {
                beside
            } else {
                below.join(&name).join("mod.rs")
            };
            self.module(joined(&module, [name.clone()]), file, &below.join(name));
        }
        self.files.insert(module.clone(), file);
        self.code.insert(module, code);
    }

    /// The module with a file that a path leads into, where it leads into this crate.
    fn target(&self, path: &[String]) -> Option<&ModulePath> {
        let lengths = (1..=path.len()).rev();
        let mut leading = lengths.filter_map(|length| self.files.get_key_value(&path[..length]));
        leading.next().map(|(module, _)| module)
    }

    /// Each module with those beside it that it or what lies below it names, and where and how one of them does.
    fn edges(&self) -> BTreeMap<&ModulePath, BTreeMap<&ModulePath, String>> {
        let mut edges: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
        for (module, code) in &self.code {
            let mut paths = Paths {
                module: module.clone(),
                ..Paths::default()
            };
            paths.visit_file(code);
            for written in &paths.written {
                let absolute = paths.absolute(written, self);
                let Some(target) = absolute.as_ref().and_then(|path| self.target(path)) else {
                    continue;
                };
                let Some((from, to)) = self.beside(module, target) else {
                    continue;
                };
                let example: &mut String = edges.entry(from).or_default().entry(to).or_default();
                let path = format!("{}: {}", self.name(module), written.segments.join("::"));
                if path.len() > example.len() {
                    *example = path;
                }
            }
        }
        edges
    }

    /// The two modules of one folder that hold these two, where neither holds the other.
    fn beside(&self, one: &ModulePath, other: &ModulePath) -> Option<(&ModulePath, &ModulePath)> {
        let shared = one.iter().zip(other).take_while(|(one, other)| one == other).count();
        let held = |module: &ModulePath| self.files.get_key_value(module.get(..=shared)?).map(|(held, _)| held);
        Some((held(one)?, held(other)?))
    }

    pub(super) fn name(&self, module: &ModulePath) -> String {
        let file = &self.files[module];
        file.strip_prefix(root()).unwrap_or(file).display().to_string()
    }
}

fn joined(module: &[String], further: impl IntoIterator<Item = String>) -> ModulePath {
    module.iter().cloned().chain(further).collect()
}

pub(super) fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute
                .parse_args::<syn::Ident>()
                .is_ok_and(|condition| condition == "test")
    })
}

/// A path as it is written, and the module in which it is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Written {
    module: ModulePath,
    segments: Vec<String>,
}

/// The paths of a file.
#[derive(Default)]
struct Paths {
    /// Where the visitor is.
    module: ModulePath,
    written: BTreeSet<Written>,
    /// What `use` makes of a name.
    imported: BTreeMap<String, Written>,
}

impl Paths {
    fn add(&mut self, segments: Vec<String>) {
        self.written.insert(Written {
            module: self.module.clone(),
            segments,
        });
    }

    /// The paths in code that is text here: a macro's tokens, an attribute's.
    fn add_text(&mut self, text: &str) {
        let text = text.replace(" :: ", "::");
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
        for word in words.filter(|word| word.contains("::")) {
            let segments = word.split("::").map(str::to_owned);
            self.add(segments.filter(|segment| !segment.is_empty()).collect());
        }
    }

    fn add_use(&mut self, tree: &syn::UseTree, before: &[String]) {
        match tree {
            syn::UseTree::Path(path) => {
                let before = joined(before, [path.ident.to_string()]);
                self.add_use(&path.tree, &before);
            }
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.add_use(tree, before);
                }
            }
            syn::UseTree::Glob(_) => self.add(before.to_owned()),
            syn::UseTree::Name(name) => self.import(before, &name.ident, &name.ident),
            syn::UseTree::Rename(rename) => self.import(before, &rename.ident, &rename.rename),
        }
    }

    fn import(&mut self, before: &[String], name: &syn::Ident, renamed: &syn::Ident) {
        let (segments, here) = if name == "self" {
            (before.to_owned(), before.last().cloned())
        } else {
            (joined(before, [name.to_string()]), Some(name.to_string()))
        };
        let here = if name == renamed {
            here
        } else {
            Some(renamed.to_string())
        };
        let written = Written {
            module: self.module.clone(),
            segments: segments.clone(),
        };
        self.imported.extend(here.map(|here| (here, written)));
        self.add(segments);
    }

    /// The path from the crate's root, where it leads into the crate.
    fn absolute(&self, written: &Written, of: &Crate) -> Option<ModulePath> {
        let (first, rest) = written.segments.split_first()?;
        let further = rest.iter().cloned();
        match first.as_str() {
            "crate" => Some(rest.to_owned()),
            "self" => Some(joined(&written.module, further)),
            "super" => {
                let (_, above) = written.module.split_last()?;
                let in_parent = Written {
                    module: above.to_owned(),
                    segments: joined(&["self".to_owned()], further),
                };
                match rest.first().map(String::as_str) {
                    Some("super") => self.absolute(
                        &Written {
                            segments: rest.to_owned(),
                            ..in_parent
                        },
                        of,
                    ),
                    _ => self.absolute(&in_parent, of),
                }
            }
            name => {
                let child = joined(&written.module, [name.to_owned()]);
                if of.files.contains_key(&child) {
                    return Some(joined(&child, further));
                }
                let import = self.imported.get(name).filter(|import| *import != written)?;
                let leads_further = import.segments.first() != Some(first);
                let imported = leads_further.then(|| self.absolute(import, of)).flatten()?;
                Some(joined(&imported, further))
            }
        }
    }
}

impl<'ast> Visit<'ast> for Paths {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if is_test(&item.attrs) {
            return;
        }
        self.module.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.module.pop();
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.add_use(&item.tree, &[]);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.add(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'ast syn::Macro) {
        self.add_text(&called.tokens.to_string());
        visit::visit_macro(self, called);
    }

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        if let syn::Meta::List(list) = &attribute.meta {
            self.add_text(&list.tokens.to_string());
        }
    }

    /// Where something may be seen is no use of it.
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}
}

/// Everything that can be reached from a module.
fn reached<'a>(
    from: &'a ModulePath,
    edges: &BTreeMap<&'a ModulePath, BTreeMap<&'a ModulePath, String>>,
) -> BTreeSet<&'a ModulePath> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(module) = open.pop() {
        let targets = edges.get(module).into_iter().flat_map(BTreeMap::keys);
        open.extend(targets.filter(|target| reached.insert(**target)));
    }
    reached
}

/// Each circle of a crate as lines: which file names which, by what path.
fn circles(of: &Crate) -> Vec<String> {
    let edges = of.edges();
    let reach: BTreeMap<_, _> = edges.keys().map(|module| (*module, reached(module, &edges))).collect();
    let together = |one: &ModulePath, other: &ModulePath| reach[one].contains(other) && reach[other].contains(one);
    let mut seen = BTreeSet::new();
    let mut circles = Vec::new();
    for module in edges.keys().filter(|module| together(module, module)) {
        if !seen.insert(*module) {
            continue;
        }
        let members: Vec<_> = edges.keys().filter(|other| together(module, other)).copied().collect();
        seen.extend(&members);
        let mut lines = format!("a circle of {} modules:\n", members.len());
        for (from, to, path) in members
            .iter()
            .flat_map(|from| edges[from].iter().map(move |(to, path)| (from, to, path)))
            .filter(|(_, to, _)| members.contains(to))
        {
            lines += &format!("  {} -> {}: {path}\n", of.name(from), of.name(to));
        }
        circles.push(lines);
    }
    circles
}

/// The roots of all crates whose circles count.
fn roots() -> Vec<PathBuf> {
    let mut roots = ["src/lib.rs", "engines/src/lib.rs", "tests/agents/src/lib.rs"]
        .map(|path| root().join(path))
        .to_vec();
    let crates = std::fs::read_dir(root().join("crates")).into_iter().flatten();
    roots.extend(crates.flatten().map(|entry| entry.path().join("src/lib.rs")));
    roots
}

#[test]
fn no_modules_need_each_other() {
    let found: String = roots().iter().flat_map(|root| circles(&Crate::read(root))).collect();
    assert!(found.is_empty(), "\n{found}");
}

#[test]
fn a_circle_is_found_however_a_file_is_named() {
    let ways = [
        "use crate::b::B;",
        "use super::b::{self, B};",
        "use crate::{a, b::{c as d}};",
        "pub use super::b::*;",
        "fn f() -> crate::b::B {}",
        "use super::b; fn f(c: b::c::C) {}",
        "fn f() { println!(\"{}\", super::b::g()) }",
        "#[serde(with = \"crate::b\")] struct A;",
        "mod inner { fn f() { super::super::b::g() } }",
    ];
    let none = [
        "use crate::a::b;",
        "pub(in crate::b) struct A;",
        "#[cfg(test)] mod tests { use crate::b; }",
        "//! crate::b::B",
    ];
    for (way, found) in ways.map(|way| (way, 1)).into_iter().chain(none.map(|way| (way, 0))) {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, code: &str| std::fs::write(folder.path().join(name), code).expect("it is written");
        write("lib.rs", "mod a; mod b;");
        write("a.rs", way);
        write("b.rs", "use crate::a::A;");
        let circles = circles(&Crate::read(&folder.path().join("lib.rs")));
        assert_eq!(circles.len(), found, "{way}: {circles:?}");
    }
}

#[test]
fn what_lies_below_a_module_is_one_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, code: &str| std::fs::write(folder.path().join(name), code).expect("it is written");
    std::fs::create_dir(folder.path().join("a")).expect("a folder");
    write("lib.rs", "mod a; mod b;");
    write("a.rs", "mod above; mod below; use crate::b::B;");
    write("a/above.rs", "use super::A; use super::below;");
    write("a/below.rs", "use crate::b::B;");
    write("b.rs", "");
    let found = || circles(&Crate::read(&folder.path().join("lib.rs")));
    assert!(found().is_empty(), "{:?}", found());
    write("b.rs", "use crate::a::above::Above;");
    assert_eq!(found().len(), 1);
}
