import { Global, Injectable, Logger, Module } from '@nestjs/common';
import { EventEmitter2, EventEmitterModule, OnEvent } from '@nestjs/event-emitter';
import type { AppEventName, AppEvents } from './app-events.js';

/**
 * Emits events and awaits their handlers. A failing handler is logged and does not affect the others or the emitter.
 */
@Injectable()
export class EventBus {
  private readonly log = new Logger(EventBus.name);

  constructor(private readonly emitter: EventEmitter2) {}

  async emit<K extends AppEventName>(name: K, payload: AppEvents[K]): Promise<void> {
    try {
      await this.emitter.emitAsync(name, payload);
    } catch (error) {
      this.log.error({ err: error, event: name }, 'an event handler failed');
    }
  }
}

/** Subscribes a method to an event of AppEvents. */
export const OnAppEvent = (name: AppEventName): MethodDecorator =>
  OnEvent(name, { promisify: true, suppressErrors: false });

@Global()
@Module({ imports: [EventEmitterModule.forRoot()], providers: [EventBus], exports: [EventBus] })
export class EventsModule {}
