import { Injectable } from '@nestjs/common';

/** Holds the condition of the module that knows deliveries: it stands above lists and registers itself at start. */
@Injectable()
export class MailedContacts {
  private condition = 'false';

  /** Called once, at start. @param sql condition over the alias `c` of a contact: a message of a send has reached it, or is on its way */
  provide(sql: string): void {
    this.condition = sql;
  }

  get sql(): string {
    return this.condition;
  }
}
