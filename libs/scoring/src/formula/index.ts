export { type FormulaMatch, matchFormula } from './match-formula';
export { FORMULA_METHODS, type FormulaMethod, type FormulaRule, readRule } from './rule';
