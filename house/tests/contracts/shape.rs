//! What a JSON Schema lets a message have.

use std::collections::BTreeSet;

use serde_json::Value;

/// A schema with everything it refers to.
pub struct Shape<'a> {
    root: &'a Value,
}

impl<'a> Shape<'a> {
    pub fn of(root: &'a Value) -> Shape<'a> {
        Shape { root }
    }

    /// Every field at any depth, as rows name it.
    pub fn paths(&self) -> BTreeSet<String> {
        let mut paths = BTreeSet::new();
        self.go_down(self.root, "", &mut Vec::new(), &mut paths);
        paths
    }

    fn go_down(
        &self,
        node: &'a Value,
        at: &str,
        above: &mut Vec<&'a Value>,
        paths: &mut BTreeSet<String>,
    ) {
        for form in self.forms(node) {
            // A type within itself is told once.
            if above.iter().any(|known| std::ptr::eq(*known, form)) {
                continue;
            }
            above.push(form);
            let fields = form.get("properties").and_then(Value::as_object);
            for (name, inner) in fields.into_iter().flatten() {
                let path = if at.is_empty() { name.clone() } else { format!("{at}.{name}") };
                self.go_down(inner, &path, above, paths);
                paths.insert(path);
            }
            for inner in member(form, "*") {
                self.go_down(inner, &format!("{at}.*"), above, paths);
            }
            for inner in elements(form) {
                self.go_down(inner, &format!("{at}[]"), above, paths);
            }
            above.pop();
        }
    }

    /// Whether there is such a field: `players[].player_id`; `*` is any name.
    pub fn has(&self, path: &str) -> bool {
        let mut nodes = self.forms(self.root);
        for part in path.split('.') {
            let name = part.trim_end_matches("[]");
            nodes = self.each(&nodes, |node| member(node, name));
            for _ in 0..part.matches("[]").count() {
                nodes = self.each(&nodes, elements);
            }
        }
        !nodes.is_empty()
    }

    fn each(
        &self,
        nodes: &[&'a Value],
        step: impl Fn(&'a Value) -> Vec<&'a Value>,
    ) -> Vec<&'a Value> {
        nodes.iter().flat_map(|node| step(node)).flat_map(|node| self.forms(node)).collect()
    }

    /// A schema in all the forms it may take.
    fn forms(&self, node: &'a Value) -> Vec<&'a Value> {
        let (mut found, mut to_see): (Vec<&Value>, _) = (Vec::new(), vec![node]);
        while let Some(node) = to_see.pop() {
            if found.iter().any(|known| std::ptr::eq(*known, node)) {
                continue;
            }
            found.push(node);
            let reference = node.get("$ref").and_then(Value::as_str);
            to_see.extend(reference.and_then(|to| self.root.pointer(to.strip_prefix('#')?)));
            for several in ["allOf", "anyOf", "oneOf"] {
                to_see.extend(node.get(several).and_then(Value::as_array).into_iter().flatten());
            }
        }
        found
    }

    /// Every text that some field may have instead of others.
    pub fn values(&self) -> BTreeSet<String> {
        let mut values = BTreeSet::new();
        gather(self.root, &mut values);
        values
    }
}

fn is_anything(node: &Value) -> bool {
    match node {
        Value::Bool(any) => *any,
        Value::Object(fields) => !fields.keys().any(|key| is_said_of(key)),
        _ => false,
    }
}

/// Whether this part of a schema says what a value must be like.
fn is_said_of(key: &str) -> bool {
    !matches!(key, "description" | "title" | "default" | "examples" | "$schema" | "$defs")
}

fn member<'a>(node: &'a Value, name: &str) -> Vec<&'a Value> {
    if is_anything(node) {
        return vec![node];
    }
    if name == "*" {
        let any = node.get("additionalProperties").filter(|value| value.is_object());
        let named = node.get("patternProperties").and_then(Value::as_object);
        return any.into_iter().chain(named.into_iter().flat_map(|named| named.values())).collect();
    }
    node.get("properties").and_then(|fields| fields.get(name)).into_iter().collect()
}

fn elements(node: &Value) -> Vec<&Value> {
    if is_anything(node) {
        return vec![node];
    }
    let first = node.get("prefixItems").and_then(Value::as_array).into_iter().flatten();
    first.chain(node.get("items")).collect()
}

/// A list of this length is a list of cards, and told in words.
const A_DECK: usize = 20;

fn gather(node: &Value, values: &mut BTreeSet<String>) {
    match node {
        Value::Object(fields) => {
            let listed = fields.get("enum").and_then(Value::as_array);
            let listed: Vec<&Value> = listed.into_iter().flatten().collect();
            // Variants with words of their own are written one by one.
            let single = fields.get("oneOf").and_then(Value::as_array).into_iter().flatten();
            let single: Vec<&Value> = single.filter_map(|one| one.get("const")).collect();
            for list in [listed, single].iter().filter(|list| (2..A_DECK).contains(&list.len())) {
                values.extend(list.iter().filter_map(|value| value.as_str()).map(str::to_owned));
            }
            fields.values().for_each(|node| gather(node, values));
        }
        Value::Array(nodes) => nodes.iter().for_each(|node| gather(node, values)),
        _ => {}
    }
}
