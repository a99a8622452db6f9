// Documents of the demo's drafts, templates and sends, as the rich-text editor stores them.
interface Node {
  type: string;
  attrs?: Record<string, unknown>;
  marks?: { type: string }[];
  text?: string;
  content?: Node[];
}

const text = (words: string): Node => ({ type: 'text', text: words });
const bold = (words: string): Node => ({ type: 'text', text: words, marks: [{ type: 'bold' }] });
const paragraph = (...content: Node[]): Node => ({ type: 'paragraph', content });
const firstName: Node = { type: 'mergeTag', attrs: { tag: 'first_name', fallback: 'there' } };
const greeting = paragraph(text('Hi '), firstName, text(','));
const list = (...items: string[]): Node => ({
  type: 'bulletList',
  content: items.map((item) => ({ type: 'listItem', content: [paragraph(text(item))] })),
});
const table = (head: string[], ...body: string[][]): Node => ({
  type: 'table',
  content: [head, ...body].map((row, index) => ({
    type: 'tableRow',
    content: row.map((cell) => ({
      type: index === 0 ? 'tableHeader' : 'tableCell',
      content: [paragraph(text(cell))],
    })),
  })),
});
const document = (...content: Node[]) => ({ type: 'doc', version: 1, content });

/** A hotlist that was pasted from a spreadsheet. */
export const HOTLIST = document(
  greeting,
  paragraph(text('these consultants are on our bench and '), bold('available from Monday'), text(':')),
  table(
    ['Name', 'Title', 'Location', 'Visa', 'Rate'],
    ['Asha R.', 'Java lead', 'Dallas, TX', 'H1B', '$72/hr'],
    ['Tom B.', '.NET developer', 'Remote', 'USC', '$65/hr'],
    ['Mei L.', 'Data engineer', 'Austin, TX', 'GC', '$70/hr'],
    ['Raj P.', 'QA lead', 'Hartford, CT', 'H4 EAD', '$58/hr'],
  ),
  paragraph(text('All of them have:')),
  list('references from their last two projects', 'two weeks of notice at most'),
  paragraph(text('Tell me which profile fits and I send the resume right away.')),
);

/** The beginning of an unfinished message. */
export const UNFINISHED = document(
  greeting,
  paragraph(text('we have two SAP consultants who come off a project at the end of the month.')),
);

/** A message with placeholders that the user has yet to fill in. */
export const WITH_BLANKS = document(
  greeting,
  paragraph(text('I have a [title] available in [city], '), bold('[rate]'), text(', from [date].')),
  list('[years] years of experience', '[visa status]', '[availability]'),
  paragraph(text('May I send the resume?')),
);

/** The list of analysts in a weekly mail to healthcare clients. */
export const ANALYSTS = document(
  greeting,
  paragraph(text('available for '), bold('healthcare clients'), text(':')),
  list(
    'Epic Cadence analyst, certified, 6 years. Boston, hybrid.',
    'Integration engineer, HL7, FHIR, Rhapsody, 10 years. Remote.',
  ),
  paragraph(text('Dana Reyes, Brightbench Consulting')),
);
