"""A tiny language model of random weights, as a GGUF file: `random_model.py FILE`. It is always the same, and says nothing of sense."""

import sys

import gguf
import numpy

EMBED, LAYERS, HEADS, CONTEXT = 32, 1, 2, 8192

tokens = [b"<unk>", b"<s>", b"</s>"] + [f"<0x{byte:02X}>".encode() for byte in range(256)]
tokens += [bytes([byte]) for byte in range(32, 127)]
kinds = [gguf.TokenType.UNKNOWN] + [gguf.TokenType.CONTROL] * 2 + [gguf.TokenType.BYTE] * 256
kinds += [gguf.TokenType.NORMAL] * (len(tokens) - len(kinds))
chance = numpy.random.default_rng(1)


def weights(*shape):
    return (chance.standard_normal(shape) * 0.05).astype(numpy.float32)


out = gguf.GGUFWriter(sys.argv[1], "llama")
out.add_name("random")
out.add_context_length(CONTEXT)
out.add_embedding_length(EMBED)
out.add_block_count(LAYERS)
out.add_feed_forward_length(4 * EMBED)
out.add_head_count(HEADS)
out.add_head_count_kv(HEADS)
out.add_layer_norm_rms_eps(1e-5)
out.add_rope_dimension_count(EMBED // HEADS)
out.add_vocab_size(len(tokens))
out.add_tokenizer_model("llama")
out.add_token_list(tokens)
out.add_token_scores([0.0] * len(tokens))
out.add_token_types(kinds)
out.add_bos_token_id(1)
out.add_eos_token_id(2)
out.add_add_space_prefix(False)
out.add_tensor("token_embd.weight", weights(len(tokens), EMBED))
out.add_tensor("output.weight", weights(len(tokens), EMBED))
out.add_tensor("output_norm.weight", numpy.ones(EMBED, numpy.float32))
for layer in range(LAYERS):
    block = f"blk.{layer}"
    for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
        out.add_tensor(f"{block}.{name}.weight", weights(EMBED, EMBED))
    for name in ("attn_norm", "ffn_norm"):
        out.add_tensor(f"{block}.{name}.weight", numpy.ones(EMBED, numpy.float32))
    for name in ("ffn_gate", "ffn_up"):
        out.add_tensor(f"{block}.{name}.weight", weights(4 * EMBED, EMBED))
    out.add_tensor(f"{block}.ffn_down.weight", weights(EMBED, 4 * EMBED))
out.write_header_to_file()
out.write_kv_data_to_file()
out.write_tensors_to_file()
out.close()
