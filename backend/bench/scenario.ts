import type { Figure } from './goals/goals.js';
import type { RedisServer } from '../test/faults/kit/redis-server.js';
import type { ProductProcess, SinkProcess } from './processes.js';
import type { World } from './world.js';

/** The environment of a scenario. */
export interface Bench {
  world: World;
  sink: SinkProcess;
  redis: RedisServer;
  web: ProductProcess;
  rounds: number;
  /** Number of recipients of an ordinary run, and of the largest run. */
  size: number;
  large: number;
  /** Value of the option `--NAME`, for parameters of a single scenario. */
  parameter: (name: string, otherwise: number) => number;
}

export type Scenario = (bench: Bench) => Promise<Figure[]>;
