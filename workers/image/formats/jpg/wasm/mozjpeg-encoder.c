// Calls the encoder of MozJPEG for mozjpeg-encoder.ts. scripts/link-codecs.mjs compiles this file.
#include <stdint.h>
#include <stdio.h>
#include <jpeglib.h>

#define EXPORT(name) __attribute__((export_name(#name))) name

static struct jpeg_error_mgr errors;
static struct jpeg_compress_struct jpeg;
static unsigned char* file;
static unsigned long file_bytes;

// libjpeg expects that this does not return.
static void error_exit(j_common_ptr common) { __builtin_trap(); }
static void emit_message(j_common_ptr common, int level) {}
static void reset_error_mgr(j_common_ptr common) {}

// Encodes RGBA without alpha as browsers do: baseline, the quantization tables of annex K, full chroma. Traps if libjpeg fails.
void EXPORT(encode)(uint8_t* rgba, unsigned width, unsigned height, int quality) {
  // Not jpeg_std_error: see mozjpeg-decoder.c.
  errors.error_exit = error_exit;
  errors.emit_message = emit_message;
  errors.reset_error_mgr = reset_error_mgr;
  jpeg.err = &errors;
  jpeg_create_compress(&jpeg);
  jpeg_mem_dest(&jpeg, &file, &file_bytes);
  jpeg.image_width = width;
  jpeg.image_height = height;
  jpeg.input_components = 4;
  jpeg.in_color_space = JCS_EXT_RGBX;
  // The settings of libjpeg. Those of MozJPEG take many times as long.
  jpeg_c_set_int_param(&jpeg, JINT_COMPRESS_PROFILE, JCP_FASTEST);
  jpeg_set_defaults(&jpeg);
  jpeg_set_quality(&jpeg, quality, TRUE);
  jpeg.comp_info[0].h_samp_factor = jpeg.comp_info[0].v_samp_factor = 1;
  jpeg.optimize_coding = TRUE;
  jpeg_start_compress(&jpeg, TRUE);
  while (jpeg.next_scanline < height) {
    uint8_t* row = rgba + (size_t)jpeg.next_scanline * 4 * width;
    jpeg_write_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_compress(&jpeg);
}

const uint8_t* EXPORT(bytes)(void) { return file; }
size_t EXPORT(length)(void) { return file_bytes; }
int EXPORT(version)(void) { return LIBJPEG_TURBO_VERSION_NUMBER; }

// MozJPEG was compiled with the headers of Emscripten, and is linked with the C library of WASI. With these, which only messages
// need when `trace_level` is set, the module imports nothing but its memory.
#undef stderr
FILE* const stderr = NULL;
int fiprintf(FILE* file, const char* format, ...) { __builtin_trap(); }

// What is not linked, because `encode` does not use it: 12 and 16 bits, lossless and progressive coding.
#define WITHOUT(name) void name(j_compress_ptr file) { __builtin_trap(); }
#define WITHOUT_BUFFER(name) void name(j_compress_ptr file, boolean needs_full_buffer) { __builtin_trap(); }
WITHOUT(jinit_phuff_encoder)
WITHOUT(jinit_lhuff_encoder)
WITHOUT(jinit_lossless_compressor)
WITHOUT_BUFFER(jinit_c_diff_controller)
WITHOUT_BUFFER(j12init_c_coef_controller)
WITHOUT_BUFFER(j12init_c_diff_controller)
WITHOUT_BUFFER(j12init_c_main_controller)
WITHOUT_BUFFER(j12init_c_prep_controller)
WITHOUT(j12init_color_converter)
WITHOUT(j12init_downsampler)
WITHOUT(j12init_forward_dct)
WITHOUT(j12init_lossless_compressor)
WITHOUT_BUFFER(j16init_c_diff_controller)
WITHOUT_BUFFER(j16init_c_main_controller)
WITHOUT_BUFFER(j16init_c_prep_controller)
WITHOUT(j16init_color_converter)
WITHOUT(j16init_downsampler)
WITHOUT(j16init_lossless_compressor)
