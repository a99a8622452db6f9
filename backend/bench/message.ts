/** The message of every run: 8 KB once encoded, not all of it ASCII, so that encoding has its price. */
export const SUBJECT = 'Senior Java developer – remote, start in January';
const PARAGRAPH = 'We are looking for a senior Java developer (m/f/d) with Spring Boot, Kafka and PostgreSQL – “hands on” – for our client in Zürich. Rate: 95 € per hour, 40 h a week. ';
export const CONTENT = `Hello,\n\n${`${PARAGRAPH.repeat(2)}\nMore at https://jobs.example.com/42?ref=mail&lang=en\n\n`.repeat(4)}Best regards,\nAnn Kumar`;
export const LIST_NAME = 'Java people';
