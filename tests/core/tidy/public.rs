//! What is `pub` has a user outside its crate, or a type that such a user has in hand.
//!
//! A user is any word of the code of another package that may use the crate, of a test, of an example: names are all that
//! is compared. What the signature of a used item mentions is used too. The compiler sees to what is `pub` where nothing
//! outside can reach it.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;

use rayon::prelude::*;
use syn::visit::{self, Visit};

use super::circles::{Crate, is_test};
use super::{FOLDERS, root, sources};

/// A `pub` item; or, without a place, a name whose use is a use of what it mentions.
struct Item {
    place: Option<String>,
    name: String,
    /// The type that it belongs to.
    of: Option<String>,
    mentions: Mentions,
}

/// The types that a signature mentions.
#[derive(Default)]
struct Mentions(BTreeSet<String>);

impl<'ast> Visit<'ast> for Mentions {
    fn visit_ident(&mut self, ident: &'ast syn::Ident) {
        let name = ident.to_string();
        self.0.extend(name.starts_with(char::is_uppercase).then_some(name));
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        if is_public(&field.vis) {
            self.visit_type(&field.ty);
        }
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        variant.fields.iter().for_each(|field| self.visit_type(&field.ty));
    }

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_block(&mut self, _: &'ast syn::Block) {}
    fn visit_expr(&mut self, _: &'ast syn::Expr) {}
    fn visit_item_mod(&mut self, _: &'ast syn::ItemMod) {}
}

const fn is_public(visibility: &syn::Visibility) -> bool {
    matches!(visibility, syn::Visibility::Public(_))
}

/// The items of a file.
struct Items {
    place: String,
    found: Vec<Item>,
}

impl Items {
    /// What has the name of what it belongs to has no place.
    fn add(&mut self, name: String, of: Option<&syn::Ident>, mention: impl FnOnce(&mut Mentions)) {
        let mut mentions = Mentions::default();
        mention(&mut mentions);
        let of = of.map(ToString::to_string);
        let place = (of.as_ref() != Some(&name)).then(|| self.place.clone());
        self.found.push(Item {
            place,
            name,
            of,
            mentions,
        });
    }
}

impl<'ast> Visit<'ast> for Items {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        let (visibility, name) = match item {
            syn::Item::Const(it) => (&it.vis, &it.ident),
            syn::Item::Enum(it) => (&it.vis, &it.ident),
            syn::Item::Fn(it) => (&it.vis, &it.sig.ident),
            syn::Item::Mod(it) if is_test(&it.attrs) => return,
            syn::Item::Mod(it) => (&it.vis, &it.ident),
            syn::Item::Static(it) => (&it.vis, &it.ident),
            syn::Item::Struct(it) => (&it.vis, &it.ident),
            syn::Item::Trait(it) => (&it.vis, &it.ident),
            syn::Item::Type(it) => (&it.vis, &it.ident),
            syn::Item::Use(it) if !is_public(&it.vis) => return,
            _ => return visit::visit_item(self, item),
        };
        if is_public(visibility) {
            // What is in a module is named by a path through it.
            let path = if matches!(item, syn::Item::Mod(_)) { "::" } else { "" };
            self.add(format!("{name}{path}"), None, |mentions| mentions.visit_item(item));
        }
        if let syn::Item::Mod(inner) = item {
            visit::visit_item_mod(self, inner);
        }
    }

    fn visit_use_rename(&mut self, used: &'ast syn::UseRename) {
        let name = &used.rename;
        self.add(name.to_string(), Some(name), |it| it.0.extend([used.ident.to_string()]));
    }

    fn visit_item_impl(&mut self, block: &'ast syn::ItemImpl) {
        let syn::Type::Path(of) = &*block.self_ty else { return };
        let of = &of.path.segments.last().expect("a name").ident;
        for item in &block.items {
            let name = match item {
                syn::ImplItem::Const(it) if is_public(&it.vis) => &it.ident,
                syn::ImplItem::Fn(it) if is_public(&it.vis) => &it.sig.ident,
                syn::ImplItem::Type(_) => of,
                _ => continue,
            };
            self.add(name.to_string(), Some(of), |mentions| mentions.visit_impl_item(item));
        }
    }
}

fn items(place: String, code: &syn::File) -> Vec<Item> {
    let found = Vec::new();
    let mut items = Items { place, found };
    items.visit_file(code);
    items.found
}

/// Each item that nobody outside has a use for, where `outside` says which names stand there.
fn unused(items: &[Item], outside: impl Fn(&str) -> bool) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    let mut open: Vec<&Item> = items.iter().collect();
    loop {
        let has_use = |name: &String| used.contains(name) || outside(name);
        let is_used = |item: &&Item| item.of.as_ref().is_none_or(has_use) && has_use(&item.name);
        let (more, rest): (Vec<_>, Vec<_>) = open.into_iter().partition(is_used);
        if more.is_empty() {
            let line = |item: &Item| Some(format!("{}: {}", item.place.as_ref()?, item.name));
            return rest.into_iter().filter_map(line).collect();
        }
        used.extend(more.iter().flat_map(|item| item.mentions.0.iter().cloned()));
        open = rest;
    }
}

/// The words of a source's code, those before `::` with it too; and those of its examples, which are outside its crate.
fn words(text: &str) -> (HashSet<&str>, HashSet<&str>) {
    let (mut code, mut examples) = (HashSet::new(), HashSet::new());
    let mut is_example = false;
    for line in text.lines().map(str::trim_start) {
        let is_comment = line.starts_with("//");
        is_example = is_comment && (is_example ^ line.contains("```"));
        if is_example || !is_comment {
            let into = if is_example { &mut examples } else { &mut code };
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            into.extend(line.split(|c| !is_word(c)));
            let paths = line.split_inclusive("::");
            into.extend(paths.filter_map(|path| path.rsplit(|c| !is_word(c) && c != ':').next()));
        }
    }
    (code, examples)
}

/// The crate whose source a file is; none for what may use them all.
fn package(path: &Path) -> &str {
    let inside = path.strip_prefix(root().join("crates")).ok().and_then(Path::to_str);
    let parts = inside.and_then(|inside| inside.split_once("/src/"));
    parts.map_or("", |(name, _)| name)
}

#[test]
fn what_is_public_has_a_user() {
    let texts: Vec<_> = FOLDERS.into_iter().flat_map(sources).collect();
    let texts = texts.par_iter().map(|(path, text)| (package(path), words(text)));
    let mut all: BTreeMap<&str, HashSet<&str>> = BTreeMap::new();
    for (package, (code, examples)) in texts.collect::<Vec<_>>() {
        all.entry(package).or_default().extend(code);
        all.entry("").or_default().extend(examples);
    }
    let uses = |user: &str, name: &str| {
        let manifest = || std::fs::read_to_string(root().join("crates").join(user).join("Cargo.toml"));
        user.is_empty() || user != name && manifest().expect("it is there").contains(name)
    };
    let libraries = all.par_iter().filter(|(name, _)| !["", "swiss-system"].contains(name));
    let found = libraries.flat_map_iter(|(name, _)| {
        let users = all.iter().filter(|(user, _)| uses(user, name));
        let users: Vec<_> = users.map(|(_, words)| words).collect();
        let read = Crate::read(&root().join("crates").join(name).join("src/lib.rs"));
        let items = read.code.iter().flat_map(|(at, code)| items(read.name(at), code));
        let items: Vec<_> = items.collect();
        let unused = unused(&items, |word| users.iter().any(|words| words.contains(word)));
        unused.into_iter().map(move |line| format!("{name}: {line}\n"))
    });
    let found = found.collect::<Vec<_>>().concat();
    assert!(
        found.is_empty(),
        "nobody outside the crate uses it; make it pub(crate), or private:\n{found}"
    );
}

#[test]
fn what_nobody_outside_has_a_use_for_is_found() {
    let outside = "fn f() { used::new(Seen) }\n/// ```\n/// shown()\n/// ```\n/// told";
    let inside = "
        pub fn shown() {} pub fn told() {} pub const LEFT: u8 = 1; fn own() {}
        pub(crate) struct Own; #[cfg(test)] mod tests { pub struct OfTests; }
        pub mod used { pub struct Inner; }
        pub fn f(a: &Argument) -> Vec<Returned> {} pub enum Returned { A(Held) } pub type Held = u8;
        pub struct Argument(pub Field, Private); pub struct Field; pub struct Private;
        pub struct Seen; impl Seen { pub fn new() -> Made {} pub fn dropped(self) -> Lost {} } pub enum Made {} pub enum Lost {}
        pub struct Unseen; impl Unseen { pub fn new() -> Never {} } pub trait Never {}
        impl Iterator for Seen { type Item = Listed; } pub struct Listed;
        pub use a as used; pub use b as other; pub fn a() {} pub fn b() {}
    ";
    let items = items("a.rs".to_owned(), &syn::parse_file(inside).expect("it is code"));
    let (code, examples) = words(outside);
    let found = unused(&items, |word| code.contains(word) || examples.contains(word));
    let expected = [
        "Inner", "LEFT", "Lost", "Never", "Private", "Unseen", "b", "dropped", "new", "told",
    ];
    assert_eq!(
        found.into_iter().collect::<Vec<_>>(),
        expected.map(|name| format!("a.rs: {name}"))
    );
}
