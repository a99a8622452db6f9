import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/index.js';
import { HistoryModule } from '../history/index.js';
import { ListsModule } from '../lists/index.js';
import { NotificationsModule } from '../notifications/index.js';
import { BounceHandler } from './bounce-handler.service.js';
import { BounceListener } from './bounce-listener.js';
import { BounceWarnings } from './bounce-warnings.service.js';
import { MailWebhookController } from './mail-webhook.controller.js';
import { RefusalJudging } from './refusal-judging.js';
import { SenderReputation } from './sender-reputation.service.js';
import { SignedMail } from './signed-mail.service.js';
import { SuppressionPolicy } from './suppression-policy.service.js';

/** Bounces and complaints, and their effects on addresses and on the reputation of senders. */
@Module({
  imports: [NotificationsModule, ListsModule, HistoryModule, DeliveryModule],
  controllers: [MailWebhookController],
  providers: [SuppressionPolicy, BounceHandler, BounceWarnings, SenderReputation, SignedMail],
  exports: [SuppressionPolicy, BounceHandler, SenderReputation],
})
export class BouncesModule {}

/** Judges refusals while their sends are still running. Worker processes only. */
@Module({ imports: [BouncesModule, DeliveryModule], providers: [RefusalJudging] })
export class BouncesWorkerModule {}

/** Accepts mail to BOUNCE_DOMAIN over SMTP. */
@Module({ imports: [BouncesModule], providers: [BounceListener] })
export class BounceListenerModule {}
