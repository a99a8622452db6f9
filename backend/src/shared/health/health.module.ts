import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthController } from './health.controller.js';
import { Readiness } from './readiness.service.js';

@Module({ imports: [TerminusModule.forRoot({ logger: false })], controllers: [HealthController], providers: [Readiness] })
export class HealthModule {}
