import { Global, Injectable, Module } from '@nestjs/common';

/** Clock of this process. Where instances could disagree, use the database's now() instead. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}

@Global()
@Module({ providers: [Clock], exports: [Clock] })
export class ClockModule {}
