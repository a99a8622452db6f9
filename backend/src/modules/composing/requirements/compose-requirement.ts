import { DOCUMENT_VERSION, type DocumentJson, type NodeJson } from '../document/document.js';
import { withoutClient } from './hidden-client.js';
import type { Job } from './job.js';
import { modeWords, placesWords, rateWords, subjectOf, termsWords } from './job-words.js';

/**
 * Maximum number of lines of a description that become separate paragraphs or list items, because a document has at
 * most 5,000 nodes.
 */
const MAX_LINES = 1_200;
const BULLET = /^[\s]*(?:[•●▪◦‣·*–-]|[o](?=\s))\s*(?=\S)/u;

/** The post for a job. */
export interface ComposedRequirement {
  subject: string;
  document: DocumentJson;
  /** Names of the hidden client in the job, as written, without duplicates. */
  hiddenNames: string[];
}

/**
 * Subject and message of a post: the facts as a table, the skills, then the description. Replaces the client's name by
 * "our client" if the job hides it. All parts are plain text: nothing becomes a link or a merge tag.
 */
export function composeRequirement(given: Job): ComposedRequirement {
  const { job, hiddenNames } = withoutClient(given);
  const facts = factsOf(job).filter(([, value]) => value !== '');
  const content = [
    ...(facts.length > 0 ? [{ type: 'table', content: facts.map(factRow) }] : []),
    ...skillLines('Must-have skills', job.skills.required),
    ...skillLines('Nice-to-have', job.skills.preferred),
    ...descriptionNodes(job.description ?? ''),
  ];
  return {
    subject: subjectOf(job),
    document: { type: 'doc', version: DOCUMENT_VERSION, content: content.length > 0 ? content : [paragraph()] },
    hiddenNames,
  };
}

const factsOf = (job: Job): [label: string, value: string][] => [
  ['Title', job.title ?? ''],
  ['Client', job.isClientHidden ? '' : (job.hiringOrganization ?? '')],
  ['Location', placesWords(job)],
  ['Work mode', modeWords(job)],
  ['Rate', rateWords(job)],
  ['Terms', termsWords(job)],
  ['Duration', job.duration ?? ''],
  ['Start', job.startDate ?? ''],
  ['Work authorisation', job.workAuthorization.join(', ')],
  ['Experience', experienceWords(job.experienceYears ?? '')],
  ['Interview', job.interview ?? ''],
  ['Respond by', job.validThrough ?? ''],
  ['Job ID', job.jobId ?? ''],
];

/** A bare number such as "8+" means years. */
const experienceWords = (years: string): string => (/^[\d+–-]+$/.test(years) ? `${years} years` : years);

const factRow = ([label, value]: [string, string]): NodeJson => ({
  type: 'tableRow',
  content: [
    { type: 'tableHeader', content: [paragraph(textNode(label))] },
    { type: 'tableCell', content: [paragraph(textNode(value))] },
  ],
});

function skillLines(label: string, skills: readonly string[]): NodeJson[] {
  if (skills.length === 0) return [];
  return [paragraph({ ...textNode(`${label}: `), marks: [{ type: 'bold' }] }, textNode(skills.join(', ')))];
}

function descriptionNodes(description: string): NodeJson[] {
  const lines = description
    .replace(/\r\n?|\t/g, (found) => (found === '\t' ? ' ' : '\n'))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const kept = lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), lines.slice(MAX_LINES).join(' ')] : lines;
  const nodes: NodeJson[] = [];
  for (const line of kept) {
    const text = line.replace(BULLET, '');
    if (text === line) {
      nodes.push(paragraph(textNode(line)));
      continue;
    }
    const list = nodes.at(-1);
    const item = { type: 'listItem', content: [paragraph(textNode(text))] };
    if (list?.type === 'bulletList') list.content!.push(item);
    else nodes.push({ type: 'bulletList', content: [item] });
  }
  return nodes;
}

const textNode = (text: string): NodeJson => ({ type: 'text', text: text.toWellFormed() });
const paragraph = (...content: NodeJson[]): NodeJson => ({ type: 'paragraph', ...(content.length > 0 && { content }) });
