// The simulator's own process: told by its environment where to keep the account and where to send events.
import { Simulator, type SimulatorOptions } from './server.ts';

export type SimulatorProcessOptions = Required<Pick<SimulatorOptions, 'file' | 'pagesBase' | 'webhook'>>;

/** What this process tells once it listens. */
export interface SimulatorReady { url: string }

const simulator = await Simulator.start(JSON.parse(process.env.STRIPE_SIMULATOR ?? '{}') as SimulatorProcessOptions);
process.on('SIGINT', () => {});
process.on('SIGTERM', () => void simulator.stop().finally(() => process.exit(0)));
process.send?.({ url: simulator.url } satisfies SimulatorReady);
