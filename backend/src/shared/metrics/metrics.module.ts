import { Global, Module } from '@nestjs/common';
import { InfrastructureGauges } from './infrastructure-gauges.js';
import { Metrics } from './metrics.service.js';

/** Prometheus metrics. Modules add their own with `Metrics.gauge` and the counting methods. */
@Global()
@Module({ providers: [Metrics, InfrastructureGauges], exports: [Metrics] })
export class MetricsModule {}
