// Calls Little CMS for little-cms.ts. scripts/link-codecs.mjs compiles this file.
#include <lcms2.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name))) name

static cmsHTRANSFORM transform;

// Reads a CMYK profile. Returns whether its colors can be converted to sRGB. 255 is no ink. Alpha is not written.
int EXPORT(prepare)(const void* profile, cmsUInt32Number size) {
  cmsHPROFILE from = cmsOpenProfileFromMem(profile, size);
  if (from == NULL) return 0;
  cmsHPROFILE to = cmsCreate_sRGBProfile();
  transform = cmsCreateTransform(from, TYPE_CMYK_8_REV, to, TYPE_RGBA_8, INTENT_RELATIVE_COLORIMETRIC, 0);
  return transform != NULL;
}

void EXPORT(convert)(const void* inks, void* rgba, cmsUInt32Number pixels) {
  cmsDoTransform(transform, inks, rgba, pixels);
}

int EXPORT(version)(void) { return cmsGetEncodedCMMversion(); }

// Little CMS was compiled with the headers of Emscripten, and is linked with the C library of WASI. These functions stand
// in where the two differ, and where Little CMS would call the system. So the module imports nothing but its memory.
int __fpclassifyf(float value) { return fpclassify(value); }
int pthread_mutex_init(void* mutex, const void* attributes) { return 0; }
int pthread_mutex_destroy(void* mutex) { return 0; }
int pthread_mutex_lock(void* mutex) { return 0; }
int pthread_mutex_unlock(void* mutex) { return 0; }
time_t time(time_t* now) { return *now = 0; }
struct tm* gmtime_r(const time_t* restrict now, struct tm* restrict date) {
  return memset(date, 0, offsetof(struct tm, __tm_gmtoff));
}
_Noreturn void __assert_fail(const char* text, const char* file, int line, const char* function) { __builtin_trap(); }

// Files. None can be opened, so the other functions are never called.
FILE* fopen(const char* restrict path, const char* restrict mode) { return NULL; }
int remove(const char* path) { return -1; }
int fclose(FILE* file) { __builtin_trap(); }
int feof(FILE* file) { __builtin_trap(); }
int fgetc(FILE* file) { __builtin_trap(); }
int fseek(FILE* file, long offset, int origin) { __builtin_trap(); }
long ftell(FILE* file) { __builtin_trap(); }
size_t fread(void* restrict to, size_t size, size_t count, FILE* restrict file) { __builtin_trap(); }
size_t fwrite(const void* restrict from, size_t size, size_t count, FILE* restrict file) { __builtin_trap(); }

// Text: messages of errors, which are not read, and files of other kinds.
int vsnprintf(char* restrict text, size_t size, const char* restrict format, va_list values) { return text[0] = 0; }
int snprintf(char* restrict text, size_t size, const char* restrict format, ...) { return text[0] = 0; }
int sscanf(const char* restrict text, const char* restrict format, ...) { return 0; }
