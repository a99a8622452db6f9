import { DeliveryAddressBlock, Delivery } from './delivery.entity.js';
import { DeliveryBacklog, DeliveryBacklogPart, RecipientDomain } from './delivery-backlog.entity.js';
import { DeliveryRange, DeliveryShare } from './delivery-range.entity.js';
import { NetworkMail } from './network-mail.entity.js';
import { SendAudience, SendLeftOut, SendMember } from './send-audience.entity.js';
import { SendExpansion, SendRetry } from './send-expansion.entity.js';
import { SendMessage } from './send-message.entity.js';

/** The tables that this module owns. */
export const deliveryEntities = [
  Delivery,
  DeliveryAddressBlock,
  NetworkMail,
  SendExpansion,
  SendMessage,
  SendRetry,
  DeliveryRange,
  DeliveryShare,
  DeliveryBacklog,
  DeliveryBacklogPart,
  RecipientDomain,
  SendAudience,
  SendMember,
  SendLeftOut,
];
