import { Fragment, type Mark, type MarkType, type Node, type NodeType } from 'prosemirror-model';
import { documentInvalid } from '../composing.errors.js';
import { DOCUMENT_LIMITS as LIMITS, DOCUMENT_VERSION, type DocumentJson, type NodeJson } from './document.js';
import { briefJson, canonicalJson } from './document-json.js';
import { attrsOf, documentSchema, textFault } from './document-schema.js';
import { tableFault } from './table-grid.js';

/** Counters for the limits of a document. */
interface Reading {
  nodes: number;
  characters: number;
  images: number;
}
/** The position of the nodes that are being read: their parent and depth. The path is built only for error messages. */
interface Place {
  /** Place of the parent; null if the parent is the document. */
  up: Place | null;
  index: number;
  depth: number;
  listDepth: number;
  isInTable: boolean;
}

/** A document that conforms to the schema. Its JSON is created on first use. */
export class ReadDocument {
  private canonical?: DocumentJson;
  private brief?: DocumentJson;

  constructor(readonly root: Node) {}

  /** Canonical JSON, with defaults written out. It is used to compare sends. */
  get json(): DocumentJson {
    return (this.canonical ??= canonicalJson(this.root));
  }

  /** JSON without defaults, for drafts and templates. */
  get briefJson(): DocumentJson {
    return (this.brief ??= briefJson(this.root));
  }
}

/**
 * Reads a document from a request. Checks every attribute, every nesting and the limits.
 * @throws 400 `document_invalid` with the path of the first fault
 */
export function readDocument(json: unknown): ReadDocument {
  if (!isRecord(json) || json['type'] !== 'doc') throw documentInvalid('document: a document is expected');
  const { version, ...doc } = json;
  if (version !== DOCUMENT_VERSION) throw documentInvalid(`document: unknown version ${quoted(version)}`);
  const reading: Reading = { nodes: 0, characters: 0, images: 0 };
  return new ReadDocument(readNode(reading, doc, null, 0));
}

function readNode(reading: Reading, json: unknown, place: Place | null, index: number): Node {
  if (!isRecord(json) || typeof json['type'] !== 'string') throw fault(place, index, 'a node is expected');
  const type = Object.hasOwn(documentSchema.nodes, json['type']) ? documentSchema.nodes[json['type']] : undefined;
  if (!type) throw fault(place, index, `unknown node ${quoted(json['type'])}`);
  if ((reading.nodes += 1) > LIMITS.nodes) throw fault(place, index, `more than ${LIMITS.nodes} parts`);
  if (place && place.depth > LIMITS.depth) throw fault(place, index, 'nested too deeply');
  const marks = readMarks(json['marks'], place, index);
  if (type.isText) return readText(reading, json as unknown as NodeJson, marks, place, index);
  refuseUnknown(json, NODE_KEYS, place, index);
  const attrs = readAttrs(type, json['attrs'], place, index);
  if (attrs) count(reading, type, attrs, place, index);
  const content = readContent(reading, type, json['content'], within(type, place, index));
  const node = type.create(attrs, content, marks);
  const wrong = type.name === 'table' ? tableFault(node) : null;
  if (wrong) throw fault(place, index, wrong);
  return node;
}

const NODE_KEYS: ReadonlySet<string> = new Set(['type', 'attrs', 'content', 'marks']);
const TEXT_KEYS: ReadonlySet<string> = new Set(['type', 'text', 'marks']);
const MARK_KEYS: ReadonlySet<string> = new Set(['type', 'attrs']);

function readText(reading: Reading, json: NodeJson, marks: readonly Mark[], place: Place | null, index: number): Node {
  refuseUnknown(json, TEXT_KEYS, place, index);
  const wrong = textFault(json.text) ?? (json.text === '' ? 'an empty text' : null);
  if (wrong) throw fault(place, index, wrong);
  countCharacters(reading, json.text!.length, place, index);
  return documentSchema.text(json.text!, marks);
}

/** @param place place of the children */
function readContent(reading: Reading, type: NodeType, json: unknown, place: Place): Fragment {
  if (json !== undefined && !Array.isArray(json)) throw fault(place.up, place.index, 'content is a list of nodes');
  const children = ((json ?? []) as unknown[]).map((child, n) => readNode(reading, child, place, n));
  let match: typeof type.contentMatch | null = type.contentMatch;
  for (let n = 0; n < children.length; n++) {
    const child = children[n]!;
    match = match.matchType(child.type);
    if (!match || !type.allowsMarks(child.marks))
      throw fault(place, n, `${child.type.name} cannot stand in ${type.name} here`);
  }
  if (!match.validEnd) throw fault(place.up, place.index, `${type.name} lacks content`);
  return Fragment.fromArray(children);
}

/**
 * The place of a node's children.
 * @throws 400 if lists or tables are nested more deeply than mails can show
 */
function within(type: NodeType, up: Place | null, index: number): Place {
  const isTable = type.name === 'table';
  if (isTable && up?.isInTable) throw fault(up, index, 'a table in a table');
  const isList = type.name === 'bulletList' || type.name === 'orderedList';
  const listDepth = isTable ? 0 : (up?.listDepth ?? 0) + (isList ? 1 : 0);
  const isInTable = up?.isInTable === true || isTable;
  const most = isInTable ? LIMITS.listDepthInTable : LIMITS.listDepth;
  if (listDepth > most)
    throw fault(up, index, `lists are nested at most ${most} deep${isInTable ? ' in a table' : ''}`);
  return { up, index, depth: (up?.depth ?? 0) + 1, listDepth, isInTable };
}

const NO_MARKS: readonly Mark[] = [];

function readMarks(json: unknown, place: Place | null, index: number): readonly Mark[] {
  if (json === undefined) return NO_MARKS;
  if (!Array.isArray(json)) throw fault(place, index, 'marks is a list');
  let marks = NO_MARKS;
  for (const mark of json as unknown[]) {
    const name = isRecord(mark) ? mark['type'] : undefined;
    const type =
      typeof name === 'string' && Object.hasOwn(documentSchema.marks, name) ? documentSchema.marks[name] : undefined;
    if (!type) throw fault(place, index, `unknown mark ${quoted(name)}`);
    refuseUnknown(mark as object, MARK_KEYS, place, index);
    marks = type.create(readAttrs(type, (mark as { attrs?: unknown }).attrs, place, index)).addToSet(marks);
  }
  return marks;
}

/** @returns null if no attributes are given and all of them have defaults */
function readAttrs(
  type: NodeType | MarkType,
  json: unknown,
  place: Place | null,
  index: number,
): Record<string, unknown> | null {
  if (json !== undefined && json !== null && !isRecord(json)) throw fault(place, index, 'attrs is an object');
  const known = attrsOf(type);
  if (!json && known.every(({ fallback }) => fallback !== undefined)) return null;
  const given = (json ?? {}) as Record<string, unknown>;
  for (const name of Object.keys(given))
    if (!known.some((one) => one.name === name))
      throw fault(place, index, `unknown attribute ${quoted(name)} of ${type.name}`);
  const attrs: Record<string, unknown> = {};
  for (const { name, fallback, faultOf } of known) {
    attrs[name] = given[name] ?? fallback;
    const found = faultOf(attrs[name]);
    if (found) throw fault(place, index, `${name} of ${type.name}: ${found}`);
  }
  return attrs;
}

/** Counts a node and the texts in its attributes toward the document's limits. */
function count(
  reading: Reading,
  type: NodeType,
  attrs: Record<string, unknown>,
  place: Place | null,
  index: number,
): void {
  if (type.name === 'image' && (reading.images += 1) > LIMITS.images)
    throw fault(place, index, `more than ${LIMITS.images} pictures`);
  for (const name of COUNTED)
    if (typeof attrs[name] === 'string') countCharacters(reading, attrs[name].length, place, index);
}

const COUNTED = ['alt', 'label', 'fallback'] as const;

function countCharacters(reading: Reading, length: number, place: Place | null, index: number): void {
  if ((reading.characters += length) > LIMITS.characters)
    throw fault(place, index, `more than ${LIMITS.characters.toLocaleString('en-US')} characters of text`);
}

function refuseUnknown(json: object, known: ReadonlySet<string>, place: Place | null, index: number): void {
  for (const name of Object.keys(json))
    if (!known.has(name)) throw fault(place, index, `unknown property ${quoted(name)}`);
}

/** @param place place of the faulty node's siblings; null if the fault is in the document itself */
const fault = (place: Place | null, index: number, what: string) =>
  documentInvalid(`${place ? pathOf(place, index) : 'document'}: ${what}`);

function pathOf(place: Place, index: number): string {
  const own = `content[${index}]`;
  return place.up ? `${pathOf(place.up, place.index)}.${own}` : own;
}

const quoted = (value: unknown): string => (JSON.stringify(value) ?? 'undefined').slice(0, 60).toWellFormed();
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
