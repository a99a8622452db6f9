import { ApiProperty } from '@nestjs/swagger';

/**
 * A rich text as nodes and marks of a closed schema, never as HTML. Nodes: paragraph, heading, bulletList, orderedList,
 * listItem, blockquote, horizontalRule, hardBreak, table, tableRow, tableHeader, tableCell, image, button, mergeTag,
 * fileLink, block, text. Marks: bold, italic, underline, strike, link, color. Anything else is 400 `document_invalid`.
 */
export class DocumentDto {
  /**
   * Always doc.
   * @example 'doc'
   */
  @ApiProperty({ enum: ['doc'], example: 'doc' })
  type: 'doc';

  /**
   * Version of the schema.
   * @example 1
   */
  @ApiProperty({ enum: [1], type: Number, example: 1 })
  version: 1;

  /** The blocks, from top to bottom. */
  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    example: [{ type: 'paragraph', content: [{ type: 'text', text: 'Hello', marks: [{ type: 'bold' }] }] }],
  })
  content: Record<string, unknown>[];
}
