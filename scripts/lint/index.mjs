import { noBareWait } from './no-bare-wait.mjs';
import { noClockInExpect } from './no-clock-in-expect.mjs';

/** The project's own rules for tests. */
export default { rules: { 'no-bare-wait': noBareWait, 'no-clock-in-expect': noClockInExpect } };
