import type { RichDocument } from '../../../ui/editor/document';
import type { Job } from '../draft';
import { useComposeRequirementMutation, useReadRequirementMutation, type RequirementDto } from './wire';

export type Requirement = RequirementDto;
export type Guess = Requirement['guesses'][number];
export type LeftOut = Requirement['leftOut'];

/** The longest text that is read, in characters. */
export const MAX_REQUIREMENT = 50_000;

/** What a job becomes: a subject, and the facts and the description as a document. */
export interface JobPost {
  subject: string;
  document: RichDocument;
}

/** The two calls of the dialog. Neither stores anything. */
export function useRequirementCalls() {
  const [read] = useReadRequirementMutation();
  const [compose] = useComposeRequirementMutation();
  return {
    /** The requirements in a text, in its order; none where nothing was found. */
    read: (text: string): Promise<Requirement[]> => read({ readRequirementDto: { text } }).unwrap(),
    compose: async (job: Job): Promise<JobPost> => {
      const { subject, document } = await compose({ composeRequirementDto: { job } }).unwrap();
      return { subject, document: document as unknown as RichDocument };
    },
  };
}
