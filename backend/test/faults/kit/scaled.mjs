// Loaded before the product's own entry (node --import): its waits cut to seconds, as FAULT_TUNING says.
import { JOB_LOCKS } from '../../../dist/src/shared/jobs/job-locks.js';
import { SendingTuning } from '../../../dist/src/modules/sending/sending-tuning.js';

const { jobLocks, ...tuning } = JSON.parse(process.env.FAULT_TUNING ?? '{}');
Object.assign(JOB_LOCKS, jobLocks);
for (const [name, value] of Object.entries(tuning)) {
  Object.defineProperty(SendingTuning.prototype, name, { get: () => value, set() {} });
}
