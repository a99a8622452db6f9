import { Global, Injectable, Module } from '@nestjs/common';

/** This process's clock; where instances could disagree the database's now() decides instead. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}

@Global()
@Module({ providers: [Clock], exports: [Clock] })
export class ClockModule {}
