import { Global, Module } from '@nestjs/common';
import { InfrastructureGauges } from './infrastructure-gauges.js';
import { Metrics } from './metrics.service.js';

/** Prometheus metrics; modules add their own with `Metrics.gauge` and the counter methods. */
@Global()
@Module({ providers: [Metrics, InfrastructureGauges], exports: [Metrics] })
export class MetricsModule {}
