import { Global, Module } from '@nestjs/common';
import { AccountChanges, ChangePauses } from './account-changes.service.js';
import { ChangeListener } from './change-listener.service.js';
import { EventsController } from './events.controller.js';

/** Telling browsers what changed for their account. */
@Global()
@Module({ controllers: [EventsController], providers: [AccountChanges, ChangeListener, ChangePauses], exports: [AccountChanges, ChangePauses] })
export class ChangesModule {}
