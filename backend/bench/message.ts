/** The message of every run: 8 KB once encoded and partly non-ASCII, so that the cost of encoding is measured. */
export const SUBJECT = 'Senior Java developer – remote, start in January';
const PARAGRAPH =
  'We are looking for a senior Java developer (m/f/d) with Spring Boot, Kafka and PostgreSQL – “hands on” – for our client in Zürich. Rate: 95 € per hour, 40 h a week. ';
export const CONTENT = `Hello,\n\n${`${PARAGRAPH.repeat(2)}\nMore at https://jobs.example.com/42?ref=mail&lang=en\n\n`.repeat(4)}Best regards,\nAnn Kumar`;
/** The body of a send: plain text or a document. */
export interface SentText {
  subject: string;
  content?: string;
  document?: object;
  files?: { fileId: string; as: string }[];
}
export const LIST_NAME = 'Java people';

/** The message with five merge tags of the contact in the content and one in the subject. */
export const TAGGED = {
  subject: `${SUBJECT} for {{first_name|you}}`,
  content: CONTENT.replace('Hello,', 'Hello {{first_name|there}} {{last_name}},')
    .replace('for our client', 'for {{company|our client}}')
    .replace('Best regards,', 'This went to {{full_name}}, {{email}}.\n\nBest regards,'),
};
