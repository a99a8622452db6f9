import type { Scenario } from './scenario.js';
import { attachments } from './scenarios/composing/attachments.js';
import { addresses, bodies } from './scenarios/answers.js';
import { activity, audience, before, preparedAudience, ruled, segmentCounts } from './scenarios/audience.js';
import { check } from './scenarios/composing/check.js';
import { downloads } from './scenarios/composing/downloads.js';
import { drafts } from './scenarios/composing/drafts.js';
import { hostile } from './scenarios/hostile.js';
import { wholeImports } from './scenarios/import.js';
import { merge, steps } from './scenarios/composing/merge.js';
import { oneProvider, providers, waiting } from './scenarios/providers.js';
import { beside, killProviders } from './scenarios/real-mail.js';
import { tests } from './scenarios/composing/tests.js';
import { tenants } from './scenarios/tenants.js';
import { api, imports, layout } from './scenarios/requests.js';
import { texts } from './scenarios/texts.js';
import { dkim, latency, speed } from './scenarios/speed.js';
import { fairness, kill, large, pages } from './scenarios/large.js';

export const SCENARIOS: Record<string, Scenario> = {
  speed,
  dkim,
  merge,
  steps,
  attachments,
  downloads,
  drafts,
  check,
  tests,
  latency,
  kill,
  killProviders,
  fairness,
  beside,
  api,
  bodies,
  addresses,
  imports,
  large,
  pages,
  layout,
  providers,
  waiting,
  oneProvider,
  tenants,
  hostile,
  texts,
  audience,
  'audience-counts': segmentCounts,
  'audience-prepared': preparedAudience,
  'audience-rules': ruled,
  'audience-activity': activity,
  'audience-before': before,
  import: wholeImports,
};
/** Scenarios that run by default. Scenarios that are part of another one are excluded. */
export const DEFAULT_SCENARIOS = Object.keys(SCENARIOS).filter(
  (name) => name !== 'pages' && !name.startsWith('audience-'),
);
