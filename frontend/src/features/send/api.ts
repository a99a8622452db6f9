import { client } from '../../api/client';
import type { EmailListDto, ScheduledSendDto, SendEmailDto, SendPreviewDto } from '../../api/endpoints.gen';
import type { LocalTime } from '../../shared/schedule/local-time';
import type { RichDocument } from '../../ui/editor/document';
import { audienceDto, audienceOf } from './audience/audience';
import { chosenFilesOf, filesPart } from './files/chosen-files';
import { hasRecipients, type Composition, type Draft } from './draft';
import { senderPartsOf, type Template } from './composition/templates';

export type SendableList = EmailListDto;
export type SendPreview = SendPreviewDto;
export { useCurrentUser, useSessionState, type SessionState } from '../../api/session';

/** Page size of the lists to choose from. Lists beyond it are found by searching. */
const LIST_LIMIT = 1000;

/** Seconds for which the lists to choose from are shown again without refetching. */
const LISTS_FRESH_SECONDS = 10;

/**
 * The lists that the user may send to, including the shared network. Changed counts do not cause a refetch while the
 * lists are shown, because an import changes them all the time. So the lists are refetched when they are shown again.
 */
export const useSendableLists = () =>
  client.useListEmailListsQuery(
    { sendable: true, limit: LIST_LIMIT },
    { refetchOnMountOrArgChange: LISTS_FRESH_SECONDS },
  );

/** The sendable lists whose name matches, for accounts with more lists than one page. */
export const useSendableListSearch = (search: string, skip: boolean) =>
  client.useListEmailListsQuery({ sendable: true, limit: 100, search }, { skip });

/** One list by its id. */
export const useListById = (id: string, skip: boolean) => client.useGetEmailListQuery({ id }, { skip });

/** The account's segments to choose from. */
export const useSegments = () => client.useListSegmentsQuery({ limit: 500 });

type Previewed = Pick<Draft, 'emailListIds' | 'emailType' | 'audience'> & Partial<Composition>;

/** The message body of a request: either a document or plain text, and whether brand and signature are added. */
const bodyOf = ({ content, document, ...parts }: Partial<Composition>) => ({
  ...(document ? { document: document as never } : content ? { content } : {}),
  ...senderPartsOf(parts),
});

/** The job of a request. Only a job post has one; the draft keeps it while another type is chosen. */
const jobPart = (emailType: Draft['emailType'], job: Composition['job']) =>
  emailType === 'job-post' && job ? { job } : {};

/** A composition as arguments of the calls that preview or test it. */
export const previewArgs = ({
  emailListIds,
  emailType,
  audience,
  subject,
  preheader,
  job,
  files,
  ...body
}: Previewed) => ({
  previewSendDto: {
    emailListIds,
    emailType,
    ...audienceDto(audience),
    ...(subject && { subject }),
    ...(preheader?.trim() && { preheader: preheader.trim() }),
    ...bodyOf(body),
    ...jobPart(emailType, job),
    ...filesPart(files),
  },
});

/**
 * The number of recipients and of excluded contacts by reason. With a subject and content also the rendered message.
 */
export function usePreview(draft: Previewed) {
  return client.usePreviewSendQuery(previewArgs(draft), {
    skip: !hasRecipients(draft),
    refetchOnMountOrArgChange: true,
  });
}

/** The draft from which a send is made, with the version on the screen. */
export type SentDraft = Pick<SendEmailDto, 'draftId' | 'draftVersion'>;

const sendDto = (
  { emailListIds, emailType, audience, subject, preheader, job, files, ...body }: Draft,
  sent: SentDraft = {},
): SendEmailDto => ({
  emailListIds,
  emailType,
  ...audienceDto(audience),
  subject: subject.trim(),
  ...(preheader.trim() && { preheader: preheader.trim() }),
  ...bodyOf(body),
  ...jobPart(emailType, job),
  ...filesPart(files),
  ...sent,
});

export function useSendEmail() {
  const [send] = client.useSendEmailMutation();
  return (draft: Draft, key: string, sent: SentDraft) =>
    send({ 'Idempotency-Key': key, sendEmailDto: sendDto(draft, sent) }).unwrap();
}

/** A scheduled email that the wizard changes. */
export interface OpenedScheduled extends LocalTime {
  id: string;
  version: number;
}

/** Schedules an email, or changes one that is scheduled. */
export function useScheduleEmail() {
  const [create] = client.useScheduleSendMutation();
  const [change] = client.useChangeScheduledMutation();
  return {
    // A request for another time gets another idempotency key.
    create: (draft: Draft, key: string, sent: SentDraft, time: LocalTime) =>
      create({
        'Idempotency-Key': `${key}:${time.at}:${time.timeZone}${time.later ? ':later' : ''}`,
        scheduleSendDto: { send: sendDto(draft, sent), ...time },
      }).unwrap(),
    // An unchanged time is left out, so that the server does not check it again.
    change: ({ id, version, ...before }: OpenedScheduled, draft: Draft, time: LocalTime) =>
      change({
        id,
        changeScheduledDto: { send: sendDto(draft), version, ...(!isSameTime(before, time) && time) },
      }).unwrap(),
  };
}

export const isSameTime = (one: LocalTime, other: LocalTime) =>
  one.at === other.at && one.timeZone === other.timeZone && one.later === other.later;

/** The scheduled email whose id is in the URL, always fetched again. */
export function useScheduledEmail(id: string) {
  const { currentData, error, isFetching, refetch } = client.useGetScheduledQuery(
    { id },
    { refetchOnMountOrArgChange: true },
  );
  return { scheduled: isFetching ? null : (currentData ?? null), error, isFetching, refetch };
}

/** The content of a scheduled email, for editing in the wizard. */
export const draftOfScheduled = ({ send }: ScheduledSendDto): Composition => ({
  emailType: send.emailType,
  emailListIds: send.emailListIds ?? [],
  audience: audienceOf(send),
  subject: send.subject,
  preheader: send.preheader ?? '',
  content: send.content ?? '',
  document: (send.document as RichDocument | undefined) ?? null,
  brand: send.brand ?? null,
  signature: send.signature ?? null,
  job: send.job ?? null,
  files: chosenFilesOf(send.files),
});

/** The user's own templates of this type, last changed first. */
export const useOwnTemplates = (type: Draft['emailType']) => client.useListTemplatesQuery({ type, limit: 100 });

/** Fetches a template for use; the server counts its uses. */
export function useApplyTemplate() {
  const [apply] = client.useApplyTemplateMutation();
  return async (id: string): Promise<Template> => {
    const { name, subject, document, brand, signature } = await apply({ id }).unwrap();
    return { name, subject, document: document as unknown as RichDocument, brand, signature };
  };
}

export function useSaveAsTemplate() {
  const [create] = client.useCreateTemplateMutation();
  return (name: string, { emailType, subject, ...parts }: Draft, document: RichDocument) =>
    create({
      createTemplateDto: {
        name,
        emailType,
        subject: subject.trim() || null,
        document: document as never,
        ...senderPartsOf(parts),
      },
    }).unwrap();
}

/** Maximum number of list ids in the query string. For lists beyond it, only the default tags are offered. */
const TAG_LIST_LIMIT = 100;

/** The merge tags available for these lists, with the number of contacts that have a value for each. */
export const useMergeTagQuery = (emailListIds: readonly string[]) =>
  client.useListMergeTagsQuery({ emailListIds: emailListIds.slice(0, TAG_LIST_LIMIT), counts: 'true' });

/** Selects the recipient whose copy is previewed. */
export interface RecipientChoice {
  after?: string;
  before?: string;
  search?: string;
  onlyEmpty?: boolean;
}

/** The message rendered for one recipient. @param marks whether merged values are highlighted */
export function useRendered(draft: Draft, recipient: RecipientChoice, marks: boolean) {
  const { previewSendDto } = previewArgs(draft);
  return client.useRenderSendQuery(
    { renderSendDto: { ...previewSendDto, recipient, ...(marks && { marks }) } },
    { skip: !hasRecipients(draft), refetchOnMountOrArgChange: true },
  );
}
