import { Global, Injectable, Module } from '@nestjs/common';

/** This process's clock. Where instances could disagree, use the database's now() instead. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}

@Global()
@Module({ providers: [Clock], exports: [Clock] })
export class ClockModule {}
