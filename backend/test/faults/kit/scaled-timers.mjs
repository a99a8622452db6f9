// Preloaded into the product's processes (node --import). Shortens the product's waits as FAULT_TUNING, FAULT_JOBS,
// FAULT_SMTP and FAULT_HTTP say, and shifts its clock by FAULT_SKEW_MS.
import { JOB_LOCKS } from '../../../dist/src/shared/jobs/jobs.module.js';
import { DeliveryTuning } from '../../../dist/src/modules/delivery/delivery-tuning.js';
import { SERVER_LIMITS } from '../../../dist/src/shared/lifecycle/drain.js';
import { SMTP_LIMITS } from '../../../dist/src/shared/mail/smtp/smtp-options.js';
import { SYSTEM_MAIL_LEASE } from '../../../dist/src/shared/mail/system-mail/system-mail-worker.js';

const given = (name) => JSON.parse(process.env[name] ?? '{}');

for (const [name, value] of Object.entries(given('FAULT_TUNING'))) {
  Object.defineProperty(DeliveryTuning.prototype, name, { get: () => value, set() {} });
}
const skewMs = Number(process.env.FAULT_SKEW_MS ?? 0);
if (skewMs !== 0) {
  const Real = Date;
  globalThis.Date = new Proxy(Real, {
    construct: (_target, given, as) => Reflect.construct(Real, given.length > 0 ? given : [Real.now() + skewMs], as),
    apply: () => new Real(Real.now() + skewMs).toString(),
    get: (target, name) => (name === 'now' ? () => Real.now() + skewMs : Reflect.get(target, name)),
  });
}

Object.assign(SMTP_LIMITS, given('FAULT_SMTP'));
Object.assign(SERVER_LIMITS, given('FAULT_HTTP'));
Object.assign(JOB_LOCKS, given('FAULT_JOBS'));
if (given('FAULT_TUNING').leaseSeconds) SYSTEM_MAIL_LEASE.seconds = given('FAULT_TUNING').leaseSeconds;
