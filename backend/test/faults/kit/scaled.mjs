// Loaded before the product's own entry (node --import): its waits cut to seconds, as FAULT_TUNING, FAULT_JOBS, FAULT_SMTP and FAULT_HTTP say.
import { JOB_LOCKS } from '../../../dist/src/shared/jobs/job-locks.js';
import { SendingTuning } from '../../../dist/src/modules/sending/sending-tuning.js';
import { SERVER_LIMITS } from '../../../dist/src/shared/lifecycle/drain.js';
import { SMTP_LIMITS } from '../../../dist/src/shared/mail/smtp-limits.js';

const given = (name) => JSON.parse(process.env[name] ?? '{}');

for (const [name, value] of Object.entries(given('FAULT_TUNING'))) {
  Object.defineProperty(SendingTuning.prototype, name, { get: () => value, set() {} });
}
Object.assign(SMTP_LIMITS, given('FAULT_SMTP'));
Object.assign(SERVER_LIMITS, given('FAULT_HTTP'));
Object.assign(JOB_LOCKS, given('FAULT_JOBS'));
