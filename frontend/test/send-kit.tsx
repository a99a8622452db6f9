import { screen, within } from '@testing-library/react';
import type { SendCheckDto } from '../src/api/endpoints.gen';
import type { Call } from './fake-api';
import { answer, fakeApi, page, someone } from './fake-api';
import { renderApp } from './render';
import { fileSpace, noSenderProfile } from './fixtures/screen-answers';

export const sendableList = (id: string, name: string, contactCount: number) => ({
  id,
  name,
  slug: id,
  description: null,
  agencyName: null,
  agencyLogo: null,
  ownerName: null,
  contactCount,
  isDefault: false,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
});

export const excluded = { pending: 3, otherType: 0, suppressed: 1, duplicates: 0 };

export const storedDraft = (over: Record<string, unknown> = {}) => ({
  id: 'd1',
  version: 1,
  updatedAt: '2026-01-05T10:42:00.000Z',
  createdAt: '2026-01-05T10:00:00.000Z',
  device: 'Safari, iPhone',
  emailListIds: ['l2'],
  emailType: 'job-post',
  subject: 'Half written',
  preheader: '',
  content: '',
  document: null,
  job: null,
  step: 2,
  ...over,
});

/** Answers of a server with one draft. Like the real one it refuses saves of an outdated version. */
export function fakeDrafts(first?: ReturnType<typeof storedDraft>) {
  let draft = first;
  const conflict = () => {
    const { version, updatedAt, device } = draft ?? {};
    return answer(
      {
        statusCode: 412,
        code: 'draft_changed',
        message: 'This draft was changed elsewhere',
        details: { version, updatedAt, device },
      },
      412,
    );
  };
  const saved = () => ({ id: draft?.id, version: draft?.version, updatedAt: draft?.updatedAt, device: draft?.device });
  return {
    get draft() {
      return draft;
    },
    /** The response to a save of an outdated version. */
    conflict,
    /** Changes the draft as another device would. */
    changeElsewhere: (over: Record<string, unknown>) => {
      if (draft) draft = { ...draft, ...over, version: draft.version + 1 };
    },
    answers: {
      'GET /api/drafts': () => page(draft ? [{ ...draft, lists: [] }] : []),
      'POST /api/drafts': ({ body }: Call) => {
        draft = storedDraft({ device: 'Chrome, Linux', ...(body as object), id: draft ? 'd2' : 'd1' });
        return answer(draft, 201);
      },
      'GET /api/drafts/d1': () => draft,
      'PUT /api/drafts/d1': ({ body, headers }: Call) => {
        if (!draft || headers.get('if-match') !== `"${draft.version}"`) return conflict();
        draft = { ...draft, ...(body as object), version: draft.version + 1 };
        return saved();
      },
      'DELETE /api/drafts/d1': () => {
        draft = undefined;
        return answer(undefined, 204);
      },
    },
  };
}

type CheckItems = SendCheckDto['items'];

/** A result of the check with these items, by default for an email that reaches everybody. */
export const checkOf = (items: CheckItems = [], over: Partial<SendCheckDto> = {}): SendCheckDto => ({
  forecast: { total: 408, reaches: 408, reasons: [] },
  items,
  links: { state: 'done', open: 0 },
  checkedAt: '2026-11-27T10:00:00.000Z',
  ...over,
});

/** The result for a send that reaches nobody. */
export const nobody = checkOf([{ code: 'nobody', level: 'error', text: 'Nobody is left to receive this email.' }], {
  forecast: { total: 4, reaches: 0, reasons: [] },
});

/** The part of the server's check that finds blanks in a plain text. */
function checkBlanks({ body }: Call): SendCheckDto {
  const { content = '' } = body as { content?: string };
  const words = [...content.matchAll(/\[[^[\]\n]{1,80}\]/g)];
  const [first] = words;
  if (!first) return checkOf();
  return checkOf([
    {
      code: 'blanks',
      level: 'warning',
      text: words.length === 1 ? 'One blank is not filled in yet.' : `${words.length} blanks are not filled in yet.`,
      words: words.slice(0, 5).map(([word]) => word),
      where: { part: 'content', from: first.index, to: first.index + first[0].length },
      fix: 'show',
    },
  ]);
}

/** Opens the wizard with answers like those of the API. */
export function openWizard(answers: Record<string, unknown> = {}, path = '/send', drafts = fakeDrafts()) {
  const calls = fakeApi({
    'GET /api/auth/user': someone(),
    'GET /api/email-lists': page([sendableList('l1', 'Java vendors', 412), sendableList('l2', 'Bench partners', 1)]),
    'GET /api/email-history': page([]),
    'GET /api/email-templates': page([]),
    'GET /api/merge-tags': [],
    'GET /api/files': [],
    'GET /api/files/space': fileSpace,
    'GET /api/sender-profile': noSenderProfile,
    'POST /api/send-email/render': {
      subject: 'A job',
      preheader: '',
      html: '<html><head></head><body><p>Hello there, as sent</p></body></html>',
      text: 'Hello there, as text',
      recipient: null,
      next: null,
      previous: null,
    },
    'POST /api/send-email/preview': { recipientCount: '408', excluded },
    'POST /api/send-email/check': checkBlanks,
    'POST /api/send-email': answer(
      { id: 'h1', status: 'pending', recipientCount: '408', message: 'On its way to 408 recipients.' },
      202,
    ),
    ...drafts.answers,
    ...answers,
  });
  return {
    calls,
    drafts,
    sends: () => calls.filter((call) => call.path === '/api/send-email'),
    saves: () =>
      calls.filter(({ method, path: to }) => to.startsWith('/api/drafts') && (method === 'PUT' || method === 'POST')),
    ...renderApp(path),
  };
}
export type OpenedWizard = ReturnType<typeof openWizard>;

/** Goes to the last step with a list, a subject and a plain text. */
export async function write({ user }: OpenedWizard, content = 'Hello there') {
  await user.click(await screen.findByRole('checkbox', { name: /Java vendors/ }));
  await user.click(screen.getByRole('button', { name: 'Next' }));
  await user.type(screen.getByLabelText('Subject line'), 'A job{Enter}');
  await user.click(await screen.findByRole('switch', { name: 'Plain text' }));
  await user.type(screen.getByLabelText('Email content'), content);
  await user.click(screen.getByRole('button', { name: 'Next' }));
}

export const pressSend = ({ user }: OpenedWizard) =>
  user.click(within(screen.getByRole('main')).getByRole('button', { name: 'Send Email' }));

/** A requirement as pasted by a user. */
export const PASTED_REQUIREMENT = `Hi, please share profiles.
Role: Sr Java Developer
Location: Hartford, CT (hybrid 3 days)
Rate: $60/hr C2C
Visa: USC only
Thanks, Ravi, ravi@vendor.example, 860 555 0142`;

const placeOf = (words: string) => {
  const from = PASTED_REQUIREMENT.indexOf(words);
  return { from, to: from + words.length };
};

/** The result of reading that requirement. */
export const requirement = (job: Record<string, unknown> = {}) => ({
  job: {
    title: 'Sr Java Developer',
    hiringOrganization: 'Acme',
    isClientHidden: true,
    jobLocations: [{ city: 'Hartford', region: 'CT' }],
    workMode: 'hybrid',
    workModeNote: '3 days',
    baseSalary: { min: 60, unit: 'HOUR', currency: 'USD' },
    employmentTypes: ['C2C'],
    workAuthorization: ['USC only'],
    skills: { required: ['Java', 'AWS'], preferred: [] },
    ...job,
  },
  guesses: [
    { field: 'title', confidence: 'sure', ...placeOf('Sr Java Developer') },
    { field: 'jobLocations', confidence: 'sure', ...placeOf('Hartford, CT') },
    { field: 'workMode', confidence: 'check', ...placeOf('hybrid 3 days') },
    { field: 'baseSalary', confidence: 'sure', ...placeOf('$60/hr') },
  ],
  leftOut: {
    emails: 1,
    phones: 2,
    signature: true,
    disclaimer: true,
    texts: [
      { kind: 'email', ...placeOf('ravi@vendor.example') },
      { kind: 'phone', ...placeOf('860 555 0142') },
    ],
  },
  hiddenNames: ['Acme'],
  subject: 'Sr Java Developer | Hartford, CT (Hybrid) | $60/hr C2C',
});

/** An answer to composing a post, whose subject and text contain the job's title. */
export const composedPost = ({ body }: Call) => {
  const { title = 'No title', ...job } = (body as { job: Record<string, unknown> & { title?: string } }).job;
  return {
    hiddenNames: job.isClientHidden && job.hiringOrganization ? [job.hiringOrganization] : [],
    subject: `${title} | Hartford, CT`,
    document: {
      type: 'doc',
      version: 1,
      content: [{ type: 'paragraph', content: [{ type: 'text', text: `Title: ${title}` }] }],
    },
  };
};
