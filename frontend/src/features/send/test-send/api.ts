import { client } from '../../../api/client';
import type { TestMailDto, TesterDto } from '../../../api/endpoints.gen';
import { previewArgs } from '../api';
import type { Draft } from '../draft';

export type Tester = TesterDto;
export type TestMail = TestMailDto;

const CONFIRMATION_POLL_MS = 10_000;
const DELIVERY_POLL_MS = 2_000;

export const isUnderWay = ({ status }: TestMail) => status === 'queued' || status === 'sending';

/** The testers. Polled while one of them has not confirmed. */
export function useTesters() {
  const known = client.endpoints.listTesters.useQueryState().data ?? [];
  return client.useListTestersQuery(undefined, {
    refetchOnMountOrArgChange: true,
    pollingInterval: known.some(({ state }) => state === 'waiting') ? CONFIRMATION_POLL_MS : 0,
    skipPollingIfUnfocused: true,
  });
}

/** The last tests. Polled while one of them is being sent. */
export function useTests() {
  const known = client.endpoints.listTests.useQueryState().data ?? [];
  return client.useListTestsQuery(undefined, {
    refetchOnMountOrArgChange: true,
    pollingInterval: known.some(isUnderWay) ? DELIVERY_POLL_MS : 0,
    skipPollingIfUnfocused: true,
  });
}

/** Sends a draft as a test. @param contactId contact whose details fill the tags; null for made-up values */
export function useSendTest() {
  const [send, { isLoading }] = client.useSendTestMutation();
  const sendTest = (draft: Draft, to: string[], contactId: string | null) => {
    const { subject = '', ...composition } = previewArgs(draft).previewSendDto;
    return send({
      testSendDto: { ...composition, subject, to, ...(contactId && { asContactId: contactId }) },
    }).unwrap();
  };
  return { sendTest, isLoading };
}
