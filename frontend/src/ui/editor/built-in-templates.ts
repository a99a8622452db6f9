import type { SendType } from '../../lib/roles';
import { documentFromText, type RichDocument } from './document';

/** A message to start from, with blanks in [square brackets]. */
export interface Template {
  name: string;
  document: RichDocument;
  /** Subject for a message that has none. Built-in templates have no subject. */
  subject?: string | null;
  /**
   * Whether the message gets the sender's logo and colour, and the signature. If absent or null, the message keeps its
   * own choice.
   */
  brand?: boolean | null;
  signature?: boolean | null;
}

const jobPost = `Hello,

We have an open position and would like to see your consultants for it.

Title: [job title]
Client: [client]
Location: [city and state, on site / hybrid / remote]
Duration: [length of contract]
Rate: [rate and terms]
Visa: [accepted visa types]

Skills:
- [must-have skill]
- [must-have skill]
- [nice-to-have skill]

Description:
[what the person will do, and on which team]

How to reply: send a current resume with the consultant's location, visa status, expected rate and availability.

Best regards,`;

const urgentJob = `Hello,

URGENT: we are filling this position now.

Start: [start date]
Interview: [format and dates]
Deadline for resumes: [day and time]

Title: [job title]
Client: [client]
Location: [city and state, on site / hybrid / remote]
Duration: [length of contract]
Rate: [rate and terms]
Visa: [accepted visa types]
Skills: [the three that count most]

In short: [the work in two sentences]

How to reply: send a resume and the best phone number today; we answer within the hour.

Best regards,`;

const oneCandidate = `Hello,

I have a consultant available and would be glad to hear of matching requirements.

Title: [title]
Experience: [years, and the industries]
Skills: [main skills]
Location: [current city and state]
Relocation: [yes / no, where to]
Visa: [visa status]
Availability: [date or notice period]
Rate: [rate and terms]

Resume and references on request.

Best regards,`;

const entry = (n: number) => `${n}. [title]
   Experience: [years]
   Skills: [main skills]
   Location: [city and state] - Relocation: [yes / no]
   Visa: [visa status]
   Availability: [date]
   Rate: [rate and terms]`;

const manyCandidates = `Hello,

These consultants are on our bench and available now.

${entry(1)}

${entry(2)}

${entry(3)}

Tell me which profile fits and I will send the resume right away.

Best regards,`;

const builtIn = (name: string, text: string): Template => ({ name, document: documentFromText(text) });

/** The built-in templates of each type of send. */
export const builtInTemplates: Record<SendType, readonly Template[]> = {
  'job-post': [builtIn('Standard Job Post', jobPost), builtIn('Urgent Job Opening', urgentJob)],
  'candidate-list': [builtIn('Candidate Availability', oneCandidate), builtIn('Multiple Candidates', manyCandidates)],
};
