import type { syntaxTree } from '@codemirror/language';
import type { Text } from '@codemirror/state';

/* A JSON text as the tree of the editor's parser, which knows the place of each part, and reads broken texts too. */

export type Tree = ReturnType<typeof syntaxTree>;
export type Node = Tree['topNode'];

export interface Member {
  name: string;
  /** The node of the name. */
  at: Node;
  /** Null in a broken text. */
  value: Node | null;
}

const VALUES = new Set(['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null']);

const childrenOf = (node: Node): Node[] => {
  const found: Node[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) found.push(child);
  return found;
};

export const valueIn = (node: Node): Node | null => childrenOf(node).find(({ name }) => VALUES.has(name)) ?? null;

export const entriesOf = (list: Node): Node[] => childrenOf(list).filter(({ name }) => VALUES.has(name));

export function textOf(node: Node, text: Text): string {
  const written = text.sliceString(node.from, node.to);
  try {
    return String(JSON.parse(written));
  } catch {
    return written;
  }
}

export const membersOf = (object: Node, text: Text): Member[] =>
  childrenOf(object).flatMap((property) => {
    const at = property.name === 'Property' ? property.getChild('PropertyName') : null;
    return at ? [{ name: textOf(at, text), at, value: valueIn(property) }] : [];
  });

/** The value that a JSON pointer names. For a missing one, the nearest enclosing value. */
export function nodeAt(tree: Tree, text: Text, pointer: string): Node {
  let node = valueIn(tree.topNode) ?? tree.topNode;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    const next: Node | null | undefined =
      node.name === 'Array'
        ? entriesOf(node)[Number(name)]
        : membersOf(node, text).findLast((member) => member.name === name)?.value;
    if (!next) break;
    node = next;
  }
  return node;
}
