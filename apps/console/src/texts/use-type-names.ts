import { useLanguage } from './texts';
import { typeNameIn } from './type-names';

/** Returns a function that names a type of questions or features in the chosen language. */
export function useTypeNames(): (type: string) => string {
  const language = useLanguage();
  return (type) => typeNameIn(language, type);
}
