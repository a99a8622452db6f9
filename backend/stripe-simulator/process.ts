// Process of the simulator. The environment variable STRIPE_SIMULATOR holds its options as JSON.
import { Simulator, type SimulatorOptions } from './server.ts';

export type SimulatorProcessOptions = Required<Pick<SimulatorOptions, 'file' | 'pagesBase' | 'webhook'>>;

/** Message to the parent process once the simulator listens. */
export interface SimulatorReady {
  url: string;
}

const simulator = await Simulator.start(JSON.parse(process.env.STRIPE_SIMULATOR ?? '{}') as SimulatorProcessOptions);
process.on('SIGINT', () => {});
process.on('SIGTERM', () => void simulator.stop().finally(() => process.exit(0)));
process.send?.({ url: simulator.url } satisfies SimulatorReady);
