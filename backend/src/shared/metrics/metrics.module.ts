import { Global, Module } from '@nestjs/common';
import { FloorGauges } from './floor-gauges.js';
import { Metrics } from './metrics.service.js';

/** Numbers for the ops team; a module adds its own with `Metrics.gauge` and the counters' methods. */
@Global()
@Module({ providers: [Metrics, FloorGauges], exports: [Metrics] })
export class MetricsModule {}
