// Loaded before the product's own entry (node --import): its waits cut to seconds, as FAULT_TUNING says.
import { SendingTuning } from '../../../dist/src/modules/sending/sending-tuning.js';

for (const [name, value] of Object.entries(JSON.parse(process.env.FAULT_TUNING ?? '{}'))) {
  Object.defineProperty(SendingTuning.prototype, name, { get: () => value, set() {} });
}
