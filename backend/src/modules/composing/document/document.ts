export const ALIGNMENTS = ['left', 'center', 'right'] as const;
export type Alignment = (typeof ALIGNMENTS)[number];

export const DOCUMENT_VERSION = 1;

/** Limits of one document. The error messages of `readDocument` name each of them. */
export const DOCUMENT_LIMITS = {
  nodes: 5_000,
  characters: 100_000,
  /** Levels of nodes below the document. Keeps the document's JSON within the depth that a request body may have. */
  depth: 13,
  listDepth: 4,
  listDepthInTable: 2,
  tableColumns: 20,
  tableRows: 500,
  images: 20,
  hrefLength: 2_000,
  altLength: 500,
  labelLength: 100,
  fallbackLength: 200,
  /** Bytes of the rendered HTML part. */
  htmlBytes: 200 * 1024,
  /** Characters of the rendered text part. */
  textCharacters: 200_000,
} as const;

/** A mark: formatting of a text node, such as bold or a link. */
export interface MarkJson {
  type: string;
  attrs?: Record<string, unknown>;
}

/** A node of a document, in the JSON that is stored and sent to clients. */
export interface NodeJson {
  type: string;
  attrs?: Record<string, unknown>;
  content?: NodeJson[];
  marks?: MarkJson[];
  text?: string;
}

/** The rich body of a message, in the JSON that is stored and sent to clients. It contains no HTML. */
export interface DocumentJson extends NodeJson {
  type: 'doc';
  version: typeof DOCUMENT_VERSION;
  content: NodeJson[];
}
