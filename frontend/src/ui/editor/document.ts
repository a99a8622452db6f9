/** A node of a rich document, in ProseMirror's JSON. */
export interface RichNode {
  type: string;
  attrs?: Record<string, unknown>;
  marks?: { type: string; attrs?: Record<string, unknown> }[];
  text?: string;
  content?: RichNode[];
}

/** The rich body of a message as the API takes it. */
export interface RichDocument {
  type: 'doc';
  version: 1;
  content: RichNode[];
}

/** A document has at least one block: an empty one is an empty paragraph. */
export const emptyDocument = (): RichDocument => ({ type: 'doc', version: 1, content: [{ type: 'paragraph' }] });

const paragraph = (lines: readonly string[]): RichNode => ({
  type: 'paragraph',
  content: lines.flatMap((text, index) => [
    ...(index > 0 ? [{ type: 'hardBreak' }] : []),
    ...(text ? [{ type: 'text', text }] : []),
  ]),
});

const BULLET = /^[-*•] +/;

/** Plain text as a document: blank lines separate paragraphs, and lines that begin with '-' form a list. */
export function documentFromText(text: string): RichDocument {
  const content = text
    .replace(/\r\n?/g, '\n')
    .split(/\n[ \t]*\n+/)
    .map((block) => block.split('\n').map((line) => line.trim()))
    .filter((lines) => lines.some((line) => line !== ''))
    .flatMap(blocksOf);
  return content.length > 0 ? { type: 'doc', version: 1, content } : emptyDocument();
}

function blocksOf(lines: string[]): RichNode[] {
  const blocks: RichNode[] = [];
  let plain: string[] = [];
  let items: RichNode[] = [];
  const flush = () => {
    if (plain.length > 0) blocks.push(paragraph(plain));
    if (items.length > 0) blocks.push({ type: 'bulletList', content: items });
    plain = [];
    items = [];
  };
  for (const line of lines) {
    const isItem = BULLET.test(line);
    if (isItem ? plain.length > 0 : items.length > 0) flush();
    if (isItem) items.push({ type: 'listItem', content: [paragraph([line.replace(BULLET, '')])] });
    else plain.push(line);
  }
  flush();
  return blocks;
}

/** `{{first_name|there}}`: a merge tag as plain text writes it. */
export const tagText = ({ tag, fallback }: { tag: string; fallback: string | null }) =>
  fallback ? `{{${tag}|${fallback}}}` : `{{${tag}}}`;

const asText = (value: unknown) => (typeof value === 'string' ? value : '');

function inlineText(nodes: readonly RichNode[] = []): string {
  let text = '';
  for (const [index, node] of nodes.entries()) {
    if (node.type === 'hardBreak') text += '\n';
    else if (node.type === 'mergeTag')
      text += tagText({ tag: asText(node.attrs?.tag), fallback: asText(node.attrs?.fallback) || null });
    else if (node.type === 'fileLink') text += asText(node.attrs?.label);
    else text += node.text ?? '';
    const href = hrefOf(node);
    // The URL of a link with several pieces (such as a bold word) is written once, after the last piece.
    if (href && href !== hrefOf(nodes[index + 1]) && href !== node.text && href !== `mailto:${node.text}`)
      text += ` (${href.replace(/^mailto:/, '')})`;
  }
  return text;
}

const hrefOf = (node: RichNode | undefined) =>
  asText(node?.marks?.find((mark) => mark.type === 'link')?.attrs?.href) || undefined;

const indented = (text: string, by: string) => text.replace(/\n/g, `\n${' '.repeat(by.length)}`);

function blockText(node: RichNode): string {
  const children = node.content ?? [];
  switch (node.type) {
    case 'bulletList':
      return children.map((item) => `- ${indented(itemText(item), '- ')}`).join('\n');
    case 'orderedList': {
      const start = Number(node.attrs?.start ?? 1);
      return children
        .map((item, index) => {
          const mark = `${start + index}. `;
          return mark + indented(itemText(item), mark);
        })
        .join('\n');
    }
    case 'table':
      return children
        .map((row) => (row.content ?? []).map((cell) => blocksText(cell.content).replace(/\n+/g, ' ')).join(' | '))
        .join('\n');
    case 'blockquote':
      return blocksText(children)
        .split('\n')
        .map((line) => `> ${line}`.trimEnd())
        .join('\n');
    case 'horizontalRule':
      return '-----';
    case 'button':
      return `${asText(node.attrs?.label)} (${asText(node.attrs?.href)})`;
    case 'image':
      return asText(node.attrs?.alt);
    default:
      return inlineText(children);
  }
}

const itemText = (item: RichNode) => (item.content ?? []).map(blockText).join('\n');
const blocksText = (nodes: readonly RichNode[] = []) => nodes.map(blockText).join('\n\n');

/** The text of a document without formatting. The server makes the mail's text part by itself. */
export const documentText = (document: RichDocument): string => blocksText(document.content).trim();

const hasContent = (node: RichNode): boolean =>
  Boolean(node.text?.trim()) ||
  ['mergeTag', 'fileLink', 'image', 'button', 'horizontalRule', 'block'].includes(node.type) ||
  (node.content ?? []).some(hasContent);

/** Ids of the files to which a document links, each once. */
export function linkedFileIds(document: RichDocument): string[] {
  const ids = (nodes: readonly RichNode[]): string[] =>
    nodes.flatMap((node) => (node.type === 'fileLink' ? [asText(node.attrs?.fileId)] : ids(node.content ?? [])));
  return [...new Set(ids(document.content))];
}

/** The document, with its links to one file replaced by links to another. */
export function withFileLinksTo(document: RichDocument, from: string, to: string): RichDocument {
  const changed = (node: RichNode): RichNode => ({
    ...node,
    ...(node.type === 'fileLink' && node.attrs?.fileId === from && { attrs: { ...node.attrs, fileId: to } }),
    ...(node.content && { content: node.content.map(changed) }),
  });
  return linkedFileIds(document).includes(from) ? { ...document, content: document.content.map(changed) } : document;
}

/** Whether a recipient would see an empty message. */
export const isEmptyDocument = (document: RichDocument): boolean => !document.content.some(hasContent);

/** Number of characters, counted in the same way as for the server's limit. */
export function documentLength(document: RichDocument): number {
  const count = (node: RichNode): number =>
    (node.text?.length ?? 0) + (node.content ?? []).reduce((sum, child) => sum + count(child), 0);
  return document.content.reduce((sum, node) => sum + count(node), 0);
}

/** Maximum length of a document that the server accepts, in characters. */
export const MAX_DOCUMENT_LENGTH = 100_000;
