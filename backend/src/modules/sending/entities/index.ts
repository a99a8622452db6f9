import { BounceReport } from './bounce-report.entity.js';
import { DeliveryAddressBlock } from './delivery-address-block.entity.js';
import { Delivery } from './delivery.entity.js';
import { DeliveryBacklog, DeliveryBacklogPart } from './delivery-backlog.entity.js';
import { DeliveryLane } from './delivery-lane.entity.js';
import { DeliveryRange } from './delivery-range.entity.js';
import { DeliveryShare } from './delivery-share.entity.js';
import { ProviderHour } from './provider-hour.entity.js';
import { ProviderMinute, ProviderRate } from './provider-rate.entity.js';
import { RecipientDomain } from './recipient-domain.entity.js';
import { SendLayout } from './send-layout.entity.js';
import { SendRetry } from './send-retry.entity.js';
import { EmailProvider } from './email-provider.entity.js';
import { NetworkMail } from './network-mail.entity.js';

/** The tables this module owns. */
export const sendingEntities = [EmailProvider, Delivery, BounceReport, DeliveryAddressBlock, NetworkMail, SendLayout, SendRetry, DeliveryLane, ProviderHour, DeliveryRange, DeliveryShare, DeliveryBacklog, DeliveryBacklogPart, ProviderRate, ProviderMinute, RecipientDomain];
