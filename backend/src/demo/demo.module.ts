import { Module } from '@nestjs/common';
import { AuthModule } from '../modules/auth/index.js';
import { DemoSeeder } from './demo-seeder.service.js';

/** Demo data for trying the product out; imported where DEMO_DATA is on, which production refuses. */
@Module({ imports: [AuthModule], providers: [DemoSeeder] })
export class DemoModule {}
