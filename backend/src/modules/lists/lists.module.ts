import { Module } from '@nestjs/common';
import { Audience } from './audience.service.js';
import { ContactEditor } from './contact-editor.service.js';
import { ContactReader } from './contact-reader.service.js';
import { ContactsController } from './contacts.controller.js';
import { ImportIntake } from './import-intake.service.js';
import { ImportReader } from './import-reader.service.js';
import { ImportsController } from './imports.controller.js';
import { ListEditor } from './list-editor.service.js';
import { ListReader } from './list-reader.service.js';
import { ListsController } from './lists.controller.js';
import { Lists } from './lists.service.js';
import { OneClickController } from './one-click.controller.js';
import { OptInConfirmation } from './opt-in-confirmation.service.js';
import { PublicListsController } from './public-lists.controller.js';
import { PublicSubscribe } from './public-subscribe.service.js';
import { SubscribeController } from './subscribe.controller.js';
import { UnsubscribeController } from './unsubscribe.controller.js';
import { Unsubscribing } from './unsubscribing.service.js';
import { WrongTokens } from './wrong-tokens.service.js';

@Module({
  controllers: [
    PublicListsController, ListsController, ImportsController, ContactsController, SubscribeController, UnsubscribeController, OneClickController,
  ],
  providers: [
    ListReader, ListEditor, ContactReader, ContactEditor, ImportIntake, ImportReader, PublicSubscribe, OptInConfirmation, Unsubscribing,
    WrongTokens, Lists, Audience,
  ],
  exports: [Lists, Audience],
})
export class ListsModule {}

/** Imports, confirmation mails and their schedules. */
@Module({ imports: [ListsModule], providers: [] })
export class ListsWorkerModule {}
