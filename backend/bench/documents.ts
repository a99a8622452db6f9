interface Node {
  type: string;
  content?: Node[];
  text?: string;
  marks?: { type: string }[];
}
export interface BenchDocument {
  type: 'doc';
  version: 1;
  content: Node[];
}

const SENTENCE =
  'Senior Java developer with Spring Boot, Kafka and PostgreSQL – “hands on” – for our client in Zürich. ';
const SKILLS = ['Java, Spring', 'Hartford CT', '$60/hr C2C', 'H1B', '12+ months', 'Immediately', 'Kafka', '9 years'];

const text = (value: string, ...marks: string[]): Node => ({
  type: 'text',
  text: value,
  ...(marks.length > 0 && { marks: marks.map((type) => ({ type })) }),
});
const paragraph = (...content: Node[]): Node => ({ type: 'paragraph', content });
const cell = (type: string, value: string): Node => ({ type, content: [paragraph(text(value))] });

/** A hotlist: a table of 10 columns with a header row. */
const hotlist = (rows: number): Node => ({
  type: 'table',
  content: Array.from({ length: rows }, (_row, y) => ({
    type: 'tableRow',
    content: Array.from({ length: 10 }, (_cell, x) =>
      cell(y === 0 ? 'tableHeader' : 'tableCell', y === 0 ? `Column ${x}` : SKILLS[(x + y) % SKILLS.length]!),
    ),
  })),
});

const prose = (n: number): Node =>
  paragraph(text(`${n}. `), text(SENTENCE, 'bold'), text(SENTENCE.repeat(4)), text(SENTENCE, 'italic'));

/**
 * A document with tables of 30 rows and 10 columns, filled up with paragraphs.
 * @param bytes size of its JSON
 */
export function documentOf(bytes: number, tables: number): BenchDocument {
  const content: Node[] = [paragraph(text('Hello,')), ...Array.from({ length: tables }, () => hotlist(30))];
  const size = (nodes: unknown): number => Buffer.byteLength(JSON.stringify(nodes));
  for (let left = bytes - size(content), n = 1; left > 0; n++) {
    content.push(prose(n));
    left -= size(content.at(-1));
  }
  return { type: 'doc', version: 1, content };
}
