import { useDispatch } from 'react-redux';
import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { client } from '../../../api/client';
import type { GuessDto, JobDto, RequirementDto, RequirementLeftOutDto } from '../../../api/endpoints.gen';
import type { RichDocument } from '../../../ui/editor/document';

export type Requirement = RequirementDto;
export type LeftOut = RequirementLeftOutDto;
export type Confidence = GuessDto['confidence'];
export type GuessedPart = GuessDto['field'];

/** Maximum number of characters of a requirement. */
export const MAX_REQUIREMENT_LENGTH = 50_000;

/** The post that is made from a job: a subject, and a document with the facts and the description. */
export interface JobPost {
  subject: string;
  document: RichDocument;
  /** Names of a client in the job, which the post hides. */
  hiddenNames: readonly string[];
}

/** The two calls of the dialog. Nothing is stored, either on the server or in the cache. */
export function useRequirementCalls() {
  const dispatch = useDispatch<ThunkDispatch<unknown, unknown, UnknownAction>>();
  const { readRequirement, composeRequirement } = client.endpoints;
  const once = { forceRefetch: true, subscribe: false };
  return {
    /** The requirements in a text, in the order of the text; empty if none was found. */
    read: (text: string): Promise<Requirement[]> =>
      dispatch(readRequirement.initiate({ readRequirementDto: { text } }, once)).unwrap(),
    compose: async (job: JobDto): Promise<JobPost> => {
      const post = await dispatch(composeRequirement.initiate({ composeRequirementDto: { job } }, once)).unwrap();
      const document = post.document as unknown as RichDocument;
      return { subject: post.subject, document, hiddenNames: post.hiddenNames };
    },
  };
}
