import type { SchemaSource } from '../../core/schema/schema.ts'
import { defineTool, type LooseConfig } from '../../core/tool/define-tool.ts'
import type { Tool, ToolConfig } from '../../core/tool/tool.ts'
import { functionExecutor } from './function-executor.ts'

/**
 * Declares a tool that runs in this process. The types of the arguments follow from `schema`, and that of
 * `context.input` from `yieldSchema`.
 * Errors: INVALID_TOOL with every fault of the configuration, INVALID_SCHEMA with the pointer.
 */
export function tool<
  const Source extends SchemaSource,
  Result,
  const Asked extends SchemaSource = SchemaSource,
>(config: ToolConfig<Source, Result, Asked>): Tool {
  return defineTool(config as unknown as LooseConfig, functionExecutor)
}
