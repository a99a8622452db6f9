import type { CreateDoNotSendDto, DoNotSendRuleDto } from '../../../api/endpoints.gen';

export type DoNotSendRule = DoNotSendRuleDto;
export type DoNotSendReason = CreateDoNotSendDto['reason'];

export const messages = {
  loadFailed: 'The rules could not be loaded.',
  none: 'No rules yet.',
  noMatch: 'No rules found matching your search',
  added: 'Added to Do Not Send!',
  stopped: 'Removed From All Lists',
  addFailed: 'Not Added',
  saved: 'Rule Saved!',
  saveFailed: 'Not Saved',
  deleted: 'Rule Deleted!',
  tryAgain: 'Please try again.',
  value: 'Enter an address or a domain',
} as const;

/**
 * Labels of the reasons, in the order of the choice. The last one is a withdrawal of consent, which only the person can
 * take back.
 */
export const reasonLabels: Record<DoNotSendReason, string> = {
  own_agency: 'Own agency',
  end_client: 'End client',
  competitor: 'Competitor',
  present_employer: 'Present employer',
  asked_to_stop: 'They asked me to stop',
  other: 'Other',
};

export const reasonChoices = (Object.keys(reasonLabels) as DoNotSendReason[]).map((value) => ({
  value,
  label: reasonLabels[value],
}));
/** Reasons that create a rule. The account can delete such a rule again, unlike a withdrawal of consent. */
export const ruleReasons = [
  'own_agency',
  'end_client',
  'competitor',
  'present_employer',
  'other',
] as const satisfies readonly DoNotSendReason[];
export const ruleReasonChoices = ruleReasons.map((value) => ({ value, label: reasonLabels[value] }));

/** Maximum length of a note, in characters. */
export const MAX_NOTE_LENGTH = 500;

/** Consequence of choosing 'They asked me to stop', shown before it is chosen. */
export const STOP_HINT =
  'They leave all your lists, as if they had unsubscribed. Only their own new confirmation brings them back.';

/** 'end client', for use within a sentence. */
export const reasonWord = (reason: DoNotSendReason): string => reasonLabels[reason].toLowerCase();

export const exportUrl = '/api/do-not-send.csv';
