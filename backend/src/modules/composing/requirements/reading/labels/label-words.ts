import { CANDIDATE_LABELS } from './candidate-labels.js';
import { CONTRACT_LABELS } from './contract-labels.js';
import { PROCESS_LABELS } from './process-labels.js';
import { ROLE_LABELS } from './role-labels.js';
import type { LabelField } from './label-fields.js';

/** Labels that vendors use, in lower case. A label listed under two fields belongs to the first of them. */
export const LABELS: Readonly<Record<LabelField, readonly string[]>> = {
  ...ROLE_LABELS,
  ...CONTRACT_LABELS,
  ...CANDIDATE_LABELS,
  ...PROCESS_LABELS,
};
